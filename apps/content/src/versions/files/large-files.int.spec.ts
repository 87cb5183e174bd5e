import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from '@jest/globals';
import { startRig } from '../../test/rig.js';

const MB = 1_000_000;
const piece = Buffer.alloc(100_000, 'scriptorium');

/** Bytes of client, gateway and service together. */
function* pieces(count: number): Generator<Buffer> {
  for (let i = 0; i < count; i += 1) yield piece;
}

function put(url: string, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'PUT', headers: { 'content-length': String(length) } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sending.once('error', reject);
    pipeline(Readable.from(pieces(length / piece.length), { objectMode: false }), sending).catch(reject);
  });
}

/** The most memory outside of the heap, in bytes, until the returned function is called. */
function watchMemory(): () => number {
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 5);
  return () => {
    clearInterval(timer);
    return most;
  };
}

it('a file of 100 MB is uploaded, used and read in at most 64 MB of memory', async () => {
  const rig = await startRig();
  try {
    const space = String(
      (await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: { editMode: 'live' } })).body['id'],
    );
    const file = { name: 'large.bin', type: 'application/octet-stream', size: 100 * MB };
    const begun = (
      await rig.send('POST', `/orgs/${rig.organization}/storage/upload`, { body: { file, kind: 'space_file' } })
    ).body;
    const sent = watchMemory();
    expect(await put(String(begun['url']), file.size)).toBe(204);
    expect(sent()).toBeLessThan(64 * MB);
    const changes = [{ operation: 'insert_files', files: [{ name: file.name, upload: begun['key'] }] }];
    expect((await rig.send('POST', `/spaces/${space}/content`, { body: { changes } })).status).toBe(200);
    const [shown] = (await rig.send('GET', `/spaces/${space}/content/files`)).body.items;
    const hash = createHash('sha256');
    const read = watchMemory();
    const answer = await fetch(String(shown?.['downloadURL']));
    for await (const chunk of answer.body ?? []) hash.update(chunk as Uint8Array);
    expect(read()).toBeLessThan(64 * MB);
    const expected = createHash('sha256');
    for (const one of pieces(1_000)) expected.update(one);
    expect(hash.digest('hex')).toBe(expected.digest('hex'));
  } finally {
    await rig.stop();
  }
}, 120_000);
