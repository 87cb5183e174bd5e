import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeSpace } from '../../test/spaces.js';
import { page } from '../../test/pages.js';
import { get, startRig, type Rig } from '../../test/rig.js';

const pages = 48;
const bytes = 50 * 1024;

/** Markdown of about this length, with a link to another page of the batch. */
function longText(number: number, length = bytes): string {
  const paragraph = 'Some plain words in a **paragraph** that goes on for a while, as paragraphs do in texts.\n\n';
  const next = `See [the next](./p${(number + 1) % pages}.md).\n\n`;
  return next + paragraph.repeat(Math.ceil(length / paragraph.length));
}

describe('large batches of changes', () => {
  let rig: Rig;
  let space: string;
  beforeAll(async () => {
    rig = await startRig();
    space = await makeSpace(rig);
  }, 60_000);
  afterAll(() => rig.stop());

  const send = (changes: object[]) => rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
  const shown = async (id: unknown) =>
    (await rig.send('GET', `/spaces/${space}/content/page/${String(id)}?format=document`)).body;

  it('are carried out while others are answered, and link to what they make', async () => {
    const numbers = Array.from({ length: pages }, (_, number) => number);
    let isDone = false;
    const changed = send(
      numbers.map((number) => page(`Page ${number}`, longText(number), { ref: `p${number}` })),
    ).finally(() => (isDone = true));
    const read: number[] = [];
    while (!isDone) read.push((await rig.send('GET', `/spaces/${space}`)).status);
    const { status, body } = await changed;
    expect(status).toBe(200);
    expect(new Set(read)).toEqual(new Set([200]));
    expect(read.length).toBeGreaterThan(20);
    expect(body['changes']).toHaveLength(pages);
    const last = await shown(get(body, `refs.p${pages - 1}`));
    expect(get(last, 'document.nodes.0.nodes.1.data.ref')).toEqual({ kind: 'page', page: get(body, 'refs.p0') });
  }, 90_000);

  it('read each document with what the changes before it have made', async () => {
    const long = longText(0, 10_000);
    const made = await send([page('Twice', long, { ref: 'twice' }), page('Other', long, { ref: 'other' })]);
    const twice = String(get(made.body, 'refs.twice'));
    const update = (markdown: string) => ({ operation: 'update_page', page: twice, document: { markdown } });
    const before = (await shown(twice))['document'];
    const { status } = await send([
      update(`First.\n\n${long}`),
      page('Made here', long, { slug: 'made-here' }),
      update(`[Made](made-here.md) first.\n\n${long}`),
      { operation: 'update_page', page: get(made.body, 'refs.other'), title: 'Renamed', document: { markdown: long } },
    ]);
    expect(status).toBe(200);
    const after = await shown(twice);
    expect(get(after, 'document.nodes.0.nodes.0.data.ref.kind')).toBe('page');
    // Blocks that stay have the keys that they had.
    expect(get(after, 'document.nodes.2.key')).toBe(get({ before }, 'before.nodes.1.key'));
    expect((await shown(get(made.body, 'refs.other')))['title']).toBe('Renamed');
  });

  it('are refused for the first document that cannot be read', async () => {
    const { status, body } = await send([
      page('Good', longText(1, 10_000)),
      page('Bad', `---\nhidden: [\n---\n${longText(2, 10_000)}`),
      page('Worse', `---\nhidden: often\n---\n${longText(3, 10_000)}`),
    ]);
    expect([status, body.error.details?.[0]?.path]).toEqual([422, 'body.changes[1].document.markdown']);
  });
});
