import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { branch } from '../../versions/branches/index.js';
import { FileStore } from '../../versions/files/index.js';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { changeContentOf, page } from '../../test/pages.js';
import { emptySpace, exported, imported } from '../../test/zips.js';

jest.setTimeout(120_000);

describe('exports', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(() => rig.stop());

  /** Content of every kind, with a history. */
  const richSpace = async (): Promise<string> => {
    const space = await emptySpace(rig);
    const spec = { ref: { kind: 'openapi', spec: 'pets' } };
    const ofFile = { spec: { ref: { kind: 'file', file: 'a' } } };
    const ids = await changeContentOf(rig, space, [
      {
        operation: 'insert_files',
        files: [
          { name: 'a.txt', base64: Buffer.from('hello\n').toString('base64'), contentType: 'text/plain', ref: 'a' },
          { name: 'a.txt', base64: Buffer.from('other\n').toString('base64'), contentType: 'text/plain', ref: 'b' },
        ],
      },
      {
        operation: 'insert_reusable_content',
        title: 'Note: once',
        ref: 'note',
        document: { markdown: 'Written once.\n' },
      },
      { operation: 'set_variables', variables: { version: '1.10', empty: '', yes: 'true' } },
      page('Read me', 'One.\n\n# Heading\n\nTwo.', { ref: 'one', slug: 'readme' }),
      page('Under *it*', '[up](./one.md) {% hint style="info" %}\nIt is.\n{% endhint %}', {
        ref: 'two',
        into: 'one',
        icon: 'star',
        description: 'In it: "all"',
        hidden: true,
        condition: 'space.vars.version == "1.10"',
        cover: { ref: { kind: 'file', file: 'a' }, yPos: 7 },
        layout: 'landing',
        variables: { port: '8080' },
        metaLinks: { canonical: { kind: 'page', page: 'one' } },
      }),
      { operation: 'insert_group', title: 'Group [1]', ref: 'group' },
      page('In the group', 'Text.\n\n| A | B |\n| - | - |\n| 1 | `x` |\n', { into: 'group', ref: 'three' }),
      { operation: 'insert_link', title: 'To (two)', target: { kind: 'page', page: 'two' }, into: 'group' },
      { operation: 'insert_link', title: 'Away', target: { kind: 'url', url: 'https://example.org/a(b)' } },
      { operation: 'insert_computed', title: 'Pets', computed: { type: 'builtin:openapi', dependencies: { spec } } },
      { operation: 'insert_computed', title: 'Own', computed: { type: 'builtin:openapi', dependencies: ofFile } },
      page('Read me', 'The second one with that name.', { slug: 'readme' }),
    ]);
    await changeContentOf(rig, space, [
      {
        operation: 'update_page',
        page: ids['three'],
        document: {
          markdown: `Before.\n\nText.\n\n![dot](/files/${ids['b'] ?? ''})\n\n{% include "/reusable-content/${ids['note'] ?? ''}" %}\n\n[a](/files/${ids['a'] ?? ''})`,
        },
      },
      { operation: 'update_page', page: ids['one'], at: 3 },
    ]);
    return space;
  };

  const rootOf = async (space: string): Promise<string> => {
    const state = await rig.store
      .scope({ actor: { kind: 'system', id: 'spec' }, organization: null, operation: 'spec', correlation: 'spec' }, {})
      .load(branch, space);
    return state.status === 'open' ? (state.head?.tree ?? '') : '';
  };

  it('are the same bytes after an import of them, and so is the content', async () => {
    const space = await richSpace();
    const first = await exported(rig, space);
    expect(await exported(rig, space)).toEqual(first);
    const copy = await emptySpace(rig);
    const done = await imported(rig, copy, first);
    expect(done).toMatchObject({ status: 'completed', report: { pages: 9, files: 2, warnings: [] } });
    expect(await rootOf(copy)).toBe(await rootOf(space));
    expect((await exported(rig, copy)).equals(first)).toBe(true);

    const other = await richSpace();
    await imported(rig, other, first, { mode: 'replace' });
    expect(await rootOf(other)).toBe(await rootOf(space));
    const revisions = async () => (await rig.send('GET', `/spaces/${space}/revisions`)).body['count'];
    const before = await revisions();
    expect((await imported(rig, space, first, { mode: 'replace' })).status).toBe('completed');
    expect(await revisions()).toBe(before);
  });

  it('can be added to the content that they come from: everything gets other ids, and links lead to the copies', async () => {
    const space = await richSpace();
    const done = await imported(rig, space, await exported(rig, space));
    expect(done).toMatchObject({ status: 'completed', report: { pages: 9, warnings: [] } });
    const { items: links, stats } = (await rig.send('GET', `/spaces/${space}/links?limit=100`)).body as never as {
      items: { status: string; reference: { kind: string } }[];
      stats: { broken: { total: number } };
    };
    const broken = links.filter(({ status }) => status === 'broken').map(({ reference }) => reference.kind);
    expect([...new Set(broken)]).toEqual(['openapi']);
    expect(stats.broken.total).toBe(1);
    const { pages, files } = (await rig.send('GET', `/spaces/${space}/content`)).body as never as {
      pages: object[];
      files: object[];
    };
    expect([pages.length, files.length]).toEqual([12, 4]);
  });

  it('are refused without a signature, and after their hour', async () => {
    const space = await emptySpace(rig);
    const url = String((await rig.send('GET', `/spaces/${space}/export`)).body['url']);
    const statusOf = async (address: string, method = 'GET') => (await fetch(address, { method })).status;
    expect(await statusOf(url, 'HEAD')).toBe(200);
    expect(await statusOf(url.replace(/signature=.*/, 'signature=x.0'))).toBe(403);
    expect(await statusOf(url.replace(/expires=\d+/, 'expires=1'))).toBe(403);
    expect(await statusOf(url, 'POST')).toBe(404);
    expect((await rig.send('GET', '/spaces/none/export')).status).toBe(404);
  });

  it('that are not read to their end leave no file open', async () => {
    const space = await emptySpace(rig);
    const bytes = randomBytes(900_000);
    const file = { name: 'large.bin', contentType: 'application/octet-stream', base64: bytes.toString('base64') };
    await changeContentOf(rig, space, [
      { operation: 'insert_files', files: [{ ...file, ref: 'large' }] },
      page('Large', '[it](/files/large)'),
    ]);
    const streams: Readable[] = [];
    const open = Reflect.get(FileStore.prototype, 'blobs');
    const blobs = jest.spyOn(FileStore.prototype, 'blobs').mockImplementation(async function (this: FileStore) {
      const store = await open.call(this);
      const read: typeof store.read = async (...given) => {
        const found = await store.read(...given);
        if (found !== undefined) streams.push(found.stream);
        return found;
      };
      return { ...store, read };
    });
    const { body } = await rig.send('GET', `/spaces/${space}/export`);
    const aborting = new AbortController();
    const answer = await fetch(String(body['url']), { signal: aborting.signal });
    await eventually(() => streams.length > 0);
    aborting.abort();
    await answer.arrayBuffer().catch(() => undefined);
    await eventually(() => streams.every(({ destroyed }) => destroyed));
    blobs.mockRestore();
  });
});
