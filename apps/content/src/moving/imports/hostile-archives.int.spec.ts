import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import yazl from 'yazl';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { eventually, startRig, type Rig } from '../../test/rig-with-store.js';
import { emptySpace, imported, zipOf } from '../../test/zips.js';

jest.setTimeout(120_000);

/** Bytes in which each place of one text has another one of the same length. */
function patched(bytes: Buffer, from: Buffer | string, to: Buffer | string): Buffer {
  const [old, next] = [Buffer.from(from), Buffer.from(to)];
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(old); at >= 0; at = copy.indexOf(old, at + 1)) next.copy(copy, at);
  return copy;
}

/** The entry of the first file in the table of contents, with other bytes in it. */
function changedEntry(bytes: Buffer, change: (entry: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy.subarray(copy.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))));
  return copy;
}

async function zipWith(add: (zip: yazl.ZipFile) => void): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  add(zip);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

const one = () => zipOf({ 'aa/page.md': '# Page\n' });

/** What is refused, by what it is: the archive, the reason, the path, and what is said. */
const hostile: Record<string, [() => Promise<Buffer>, reason: string, path: string, message: RegExp]> = {
  'a path that leads out of the archive': [
    async () => patched(await one(), 'aa/page.md', '../page.md'),
    'content_change_invalid',
    '../page.md',
    /leads out/,
  ],
  'a path with backslashes that leads out of it': [
    async () => patched(await one(), 'aa/page.md', '..\\page.md'),
    'content_change_invalid',
    '../page.md',
    /leads out/,
  ],
  'an absolute path': [
    async () => patched(await one(), 'aa/page.md', '/a/page.md'),
    'content_change_invalid',
    '/a/page.md',
    /absolute/,
  ],
  'a drive': [
    async () => patched(await one(), 'aa/page.md', 'C:/page.md'),
    'content_change_invalid',
    'C:/page.md',
    /absolute/,
  ],
  'a control character in a path': [
    async () => patched(await one(), 'aa/page.md', 'aa/\u0001age.md'),
    'content_change_invalid',
    'aa/?age.md',
    /control characters/,
  ],
  'a symbolic link': [
    () => zipWith((zip) => zip.addBuffer(Buffer.from('/etc/passwd'), 'link.md', { mode: 0o120777 })),
    'content_change_invalid',
    'link.md',
    /a link/,
  ],
  'the same file twice': [
    () => zipWith((zip) => ['1', '2'].forEach((text) => zip.addBuffer(Buffer.from(text), 'page.md'))),
    'content_change_invalid',
    'page.md',
    /twice/,
  ],
  'an encrypted file': [
    async () => changedEntry(await one(), (entry) => entry.writeUInt16LE(entry.readUInt16LE(8) | 1, 8)),
    'content_change_invalid',
    'aa/page.md',
    /encrypted/,
  ],
  'a method that nobody knows': [
    async () => changedEntry(await one(), (entry) => entry.writeUInt16LE(99, 10)),
    'content_change_invalid',
    'aa/page.md',
    /not supported/,
  ],
  'a file that unpacks to far more than it takes': [
    () => zipOf({ 'page.md': Buffer.alloc(16 * 1024 * 1024) }),
    'too_large',
    'page.md',
    /far more/,
  ],
  'a file that is longer than it says': [
    async () => changedEntry(await zipOf({ 'page.md': 'a'.repeat(1_000) }), (entry) => entry.writeUInt32LE(10, 24)),
    'content_change_invalid',
    'page.md',
    /longer than/,
  ],
  'a file that is shorter than it says': [
    async () => changedEntry(await zipOf({ 'page.md': 'a'.repeat(1_000) }), (entry) => entry.writeUInt32LE(2_000, 24)),
    'content_change_invalid',
    'page.md',
    /not as long/,
  ],
  'a file with other bytes than it had': [
    async () => changedEntry(await one(), (entry) => entry.writeUInt32LE(1, 16)),
    'content_change_invalid',
    'page.md',
    /damaged/,
  ],
  'a file that stands outside of the archive': [
    async () => changedEntry(await one(), (entry) => entry.writeUInt32LE(0x7fffffff, 42)),
    'content_change_invalid',
    'page.md',
    /damaged/,
  ],
  'more files than there can be': [
    async () => {
      const bytes = await one();
      bytes.writeUInt16LE(60_001, bytes.length - 12);
      return bytes;
    },
    'too_large',
    'archive.zip',
    /More than 60000 files/,
  ],
  'half of an archive': [async () => (await one()).subarray(0, 60), 'content_change_invalid', 'archive.zip', /no zip/],
  'no archive at all': [
    () => Promise.resolve(Buffer.from('# Not a zip\n')),
    'content_change_invalid',
    'archive.zip',
    /no zip/,
  ],
  'a name that is not the UTF-8 that it says': [
    async () => patched(await zipOf({ 'pägé.md': 'x' }), 'pägé', Buffer.from([0x70, 0xff, 0xff, 0x67, 0xff, 0xff])),
    'content_change_invalid',
    'pÿÿgÿÿ.md',
    /not UTF-8/,
  ],
  'pages that lie too deep': [
    () => zipOf({ [`${Array.from({ length: 40 }, (_, n) => `d${n}`).join('/')}/page.md`]: 'x', 'README.md': 'x' }),
    'content_change_invalid',
    expect.stringContaining('d0/d1') as unknown as string,
    /at most 32 deep/,
  ],
};

describe('hostile archives', () => {
  let rig: Rig;
  let space: string;
  beforeAll(async () => {
    rig = await startRig();
    space = await emptySpace(rig);
  }, 60_000);
  afterAll(() => rig.stop());

  it.each(Object.entries(hostile))(
    'with %s are refused, naming the file',
    async (_what, [make, reason, path, message]) => {
      const { status, failure } = await imported(rig, space, await make());
      expect([status, failure?.reason, failure?.path]).toEqual(['failed', reason, path]);
      expect(failure?.message).toMatch(message);
    },
  );

  it('leave the content and the store of files as they were', async () => {
    const { pages, files } = (await rig.send('GET', `/spaces/${space}/content`)).body;
    expect([pages, files]).toEqual([[], []]);
    const uploads = rig.store.database.collection('op_uploads');
    await eventually(async () => (await uploads.countDocuments({ kind: 'staged' })) === 0);
  });

  it('may have entries that tools of systems leave, names of old tools, and one folder around everything', async () => {
    const old = patched(await zipOf({ 'a-b/caf1.md': '# One\n' }), 'caf1', Buffer.from([0x63, 0x61, 0x66, 0x82]));
    const plain = changedEntry(old, (entry) => entry.writeUInt16LE(entry.readUInt16LE(8) & ~0x800, 8));
    const done = await imported(rig, space, plain);
    expect(done.pages.map(({ path }) => path)).toEqual(['café.md']);
    const mac = await imported(rig, space, { 'x/one.md': '# 1', '__MACOSX/x/._one.md': 'x', 'x/.DS_Store': 'x' });
    expect(mac).toMatchObject({
      status: 'completed',
      pages: [{ title: '1', path: 'one.md' }],
      report: { warnings: [] },
    });
  });
});
