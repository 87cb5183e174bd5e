import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { page } from '../test/pages.js';
import { makeSpace } from '../test/spaces.js';
import { get, startRig, type Rig } from '../test/rig.js';

describe('front matter of pages', () => {
  let rig: Rig;
  let space: string;
  beforeAll(async () => {
    rig = await startRig({ RATE_LIMIT_CONTENT_WRITE: '0' });
    space = await makeSpace(rig);
  }, 60_000);
  afterAll(() => rig.stop());

  const send = (changes: object[]) => rig.send('POST', `/spaces/${space}/content`, { body: { changes } });

  it.each([
    ['hidden: often', 'invalid hidden: Must be true or false'],
    ['noIndex: "yes"', 'invalid noIndex: Must be true or false'],
    ['description: [a]', 'invalid description: Must be a text'],
    ['icon: {a: b}', 'invalid icon: Must be a text'],
    ['icon: No Such Icon', 'invalid icon'],
    ['if: [a]', 'invalid if: Must be a text'],
    ['if: visitor.claims.', 'invalid if'],
    ['if: "1 + 2"', 'invalid if'],
    ['if: "new Date()"', 'invalid if'],
    ['vars: [a]', 'invalid vars: Must be a map'],
    ['vars: {a: {b: c}}', 'invalid vars.a: Must be a text'],
    ['vars: {1a: c}', 'invalid vars.1a: Must be a text'],
    ['cover: [a]', 'invalid cover: Must be a text'],
    ['cover: /files/f\ncoverHeight: tall', 'invalid coverHeight: Must be a number'],
    ['cover: /files/f\ncoverHeight: 9000', 'invalid coverHeight'],
    ['metaLinks: none', 'invalid metaLinks: Must be a map'],
    ['metaLinks: {alternates: 7}', 'invalid metaLinks.alternates: Must be a list of texts'],
    ['layout: docs', 'invalid layout: Must be a map'],
    ['layout: {width: huge}', 'invalid layout'],
    ['title: [a]', 'invalid title'],
    ['hidden: [', 'no valid YAML: line'],
    ['a: b\n  c: d: e', 'no valid YAML: line'],
    ['hidden: true\nhidden: false', 'no valid YAML: line 3'],
  ])('are refused with %j, and the refusal names the key', async (yaml, message) => {
    const made = await send([page('Good', '', { ref: 'good' })]);
    const markdown = `---\n${yaml}\n---\n\nText.`;
    for (const change of [
      page('Bad', markdown),
      { operation: 'update_page', page: get(made.body, 'refs.good'), document: { markdown } },
    ]) {
      const { status, body } = await send([page('Other'), change]);
      expect([status, body.error.reason]).toEqual([422, 'content_change_invalid']);
      expect(body.error.details).toEqual([
        { path: 'body.changes[1].document.markdown', message: expect.stringContaining(message) },
      ]);
    }
  });

  it('can have empty values, and keys that no page has', async () => {
    const yaml =
      'description:\nicon: ~\nauthor: [Ann]\ntags: [a, 1]\nmetaLinks:\n  next: x\nvars:\n  none:\n  port: 1.10';
    const { status, body } = await send([page('Fine', `---\n${yaml}\n---\n\nText.`, { ref: 'fine' })]);
    expect(status).toBe(200);
    const path = `/spaces/${space}/content/page/${String(get(body, 'refs.fine'))}`;
    expect((await rig.send('GET', path)).body['variables']).toEqual({ port: '1.10' });
  });

  it('are told from a rule at the beginning of a text', async () => {
    expect((await send([page('Rule', '---\n\nHello there\n\n---\n\nMore')])).status).toBe(200);
  });
});
