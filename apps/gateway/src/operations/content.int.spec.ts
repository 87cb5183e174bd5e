import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  applyTemplateToSpace,
  changeSpaceContent,
  getCurrentRevision,
  getPageById,
  getPageByPath,
  getPageInChangeRequestByPath,
  getPageInRevisionByPath,
  listPages,
  listRevisions,
  type Operation,
} from '@scriptorium/contracts';
import { jsonAnswer, startRig, textOf, type Rig } from '../test/rig.js';

const table: Operation[] = [
  applyTemplateToSpace,
  changeSpaceContent,
  getCurrentRevision,
  getPageById,
  getPageByPath,
  getPageInChangeRequestByPath,
  getPageInRevisionByPath,
  listPages,
  listRevisions,
];

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ table });
});
afterAll(() => rig.stop());
afterEach(() => {
  rig.stub.on = {};
  rig.stub.calls.length = 0;
});

/** The operation and the input that a request became. */
function forwarded(): { id: string | undefined; input: Record<string, unknown> } {
  const call = rig.stub.calls.at(-1);
  return { id: call?.operation, input: JSON.parse(textOf(call?.body ?? Buffer.from('{}'))) as Record<string, unknown> };
}

describe('reads of content', () => {
  const view = { metadata: true, computed: true };

  it.each([
    ['/v1/spaces/s/content/path/guides/install', 'getPageByPath', { spaceId: 's', pagePath: 'guides/install' }],
    ['/v1/spaces/s/content/path/guides%2Finstall', 'getPageByPath', { spaceId: 's', pagePath: 'guides/install' }],
    ['/v1/spaces/s/revisions/r/path/a', 'getPageInRevisionByPath', { spaceId: 's', revisionId: 'r', pagePath: 'a' }],
    [
      '/v1/spaces/s/change-requests/7/content/path/a/b',
      'getPageInChangeRequestByPath',
      { spaceId: 's', changeRequestId: '7', pagePath: 'a/b' },
    ],
    ['/v1/spaces/s/content/page/p', 'getPageById', { spaceId: 's', pageId: 'p' }],
    ['/v1/spaces/s/content/pages', 'listPages', { spaceId: 's' }],
  ])('reach their operation at %s', async (path, operation, params) => {
    expect((await rig.call('GET', path)).status).toBe(200);
    const { id, input } = forwarded();
    expect([id, input['params']]).toEqual([operation, params]);
    expect(input['query']).toMatchObject(view);
  });

  it('have booleans and words in their query', async () => {
    const query = 'metadata=false&evaluated=deterministic-only&dereferenced=true&format.markdown.refs=stable';
    await rig.call('GET', `/v1/spaces/s/content/page/p?${query}`);
    expect(forwarded().input['query']).toEqual({
      metadata: false,
      computed: true,
      evaluated: 'deterministic-only',
      dereferenced: true,
      'format.markdown.refs': 'stable',
    });
  });

  it('refuse paths that no page has', async () => {
    for (const path of ['a//b', 'a/', '%2Fa']) {
      const { status, json } = await rig.call('GET', `/v1/spaces/s/content/path/${path}`);
      expect([status, json.error.details[0]?.path]).toEqual([400, 'params.pagePath']);
    }
  });

  it('show who created a revision, and leave what is no person', async () => {
    const revision = { object: 'revision', id: 'r', parents: [], type: 'edits' };
    const system = { object: 'system', id: 'content' };
    rig.stub.on['lookupUsers'] = () => jsonAnswer({ items: [{ object: 'user', id: 'u', displayName: 'Ann' }] });
    rig.stub.on['listRevisions'] = () =>
      jsonAnswer({
        items: [
          { ...revision, createdBy: { object: 'user', id: 'u' } },
          { ...revision, createdBy: system },
        ],
        count: 2,
      });
    const { json } = await rig.call('GET', '/v1/spaces/s/revisions');
    const items = json['items'] as { createdBy: object }[];
    expect(items.map(({ createdBy }) => createdBy)).toEqual([{ object: 'user', id: 'u', displayName: 'Ann' }, system]);
  });
});

describe('writes of content', () => {
  const insert = (size: number) => ({ operation: 'insert_page', document: { markdown: 'x'.repeat(size) } });

  it('may be as large as 25 MiB', async () => {
    const most = 512 * 1024;
    const changes = Array(49).fill(insert(most));
    const { status } = await rig.call('POST', '/v1/spaces/s/content', { body: { changes } });
    expect([status, forwarded().id]).toEqual([200, 'changeSpaceContent']);
    const larger = { changes, base: 'r', filler: 'x'.repeat(most) };
    const refused = await rig.call('POST', '/v1/spaces/s/content', { body: { ...larger, more: 'x'.repeat(most) } });
    expect([refused.status, refused.json.error.reason]).toEqual([413, 'too_large']);
  });

  it('are too large when one document is', async () => {
    const { status, json } = await rig.call('POST', '/v1/spaces/s/content', {
      body: { changes: [insert(512 * 1024 + 1)] },
    });
    expect([status, json.error.reason, json.error.details]).toEqual([
      413,
      'too_large',
      [{ path: 'body.changes[0].document.markdown', message: 'Must be at most 524288 bytes' }],
    ]);
  });

  it('can name the revision that they change', async () => {
    const body = { changes: [insert(1)] };
    await rig.call('POST', '/v1/spaces/s/content', { body, headers: { 'if-match': '"revision"' } });
    expect(rig.stub.calls.at(-1)?.headers['if-match']).toBe('revision');
  });

  it('answer 201 with nothing when a template was applied', async () => {
    rig.stub.on['applyTemplateToSpace'] = () => ({ body: Buffer.alloc(0), headers: {} });
    const answer = await rig.call('POST', '/v1/spaces/s/content/template', { body: { id: 'blank' } });
    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([201, '', '0']);
  });
});
