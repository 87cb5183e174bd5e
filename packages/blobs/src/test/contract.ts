import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Blobs } from '../port/blobs.js';
import { HEAD_BYTES } from '../port/limits.js';
import { bytesOf, gather, inPieces, sha256 } from './bytes.js';
import { everythingIn, openStore, type StorePlace } from './stores.js';

const MOST = 64 * 1024 * 1024;
const MIB = 1024 * 1024;
export const soon = () => ({ most: MOST, deadline: Date.now() + 30_000 });
/** Around the sizes at which stores begin another chunk or part. */
const SIZES = [0, 1, 4_096, 255 * 1024, 255 * 1024 + 1, 1020 * 1024, 1020 * 1024 + 1, 8 * MIB, 8 * MIB + 1, 20 * MIB];

/** What every adapter does. `place` is asked once the specs run. */
export function keepsBlobs(name: string, place: () => StorePlace): void {
  describe(`${name} keeps blobs`, () => {
    let blobs: Blobs;
    let pool: string;
    beforeAll(() => {
      blobs = openStore(place());
    });
    beforeEach(() => {
      pool = randomUUID();
    });
    afterAll(() => blobs.close());

    const write = (bytes: Uint8Array, to = pool) => blobs.write(to, inPieces(bytes), soon());
    const readAll = async (hash: string, range?: { start: number; end: number }) => {
      const found = await blobs.read(pool, hash, range);
      return found === undefined ? undefined : { size: found.size, bytes: await gather(found.stream) };
    };
    /** What is stored of this pool. */
    const stored = async () => (await everythingIn(place())).length;

    it.each(SIZES)('of %i bytes under their hash', async (size) => {
      const bytes = bytesOf(size, size);
      const written = await write(bytes);
      expect(written).toEqual({ hash: sha256(bytes), size, head: new Uint8Array(bytes.subarray(0, HEAD_BYTES)) });
      expect(await blobs.stat(pool, written.hash)).toEqual({ hash: written.hash, size });
      const read = await readAll(written.hash);
      expect(read?.size).toBe(size);
      expect(read?.bytes.equals(bytes)).toBe(true);
    });

    it('and parts of them by ranges', async () => {
      const bytes = bytesOf(9 * MIB);
      const { hash, size } = await write(bytes);
      const cuts = [0, 1, 255 * 1024 - 1, 255 * 1024, 255 * 1024 + 1, 5 * MIB, size - 1, size, size + 1, 10 * size];
      for (const start of cuts)
        for (const end of cuts.filter((cut) => cut >= start)) {
          const read = await readAll(hash, { start, end });
          expect(read?.size).toBe(size);
          expect(read?.bytes.equals(bytes.subarray(start, end))).toBe(true);
        }
    });

    it('without bytes, which no range has either', async () => {
      const { hash } = await write(new Uint8Array());
      expect(await readAll(hash, { start: 0, end: 10 })).toEqual({ size: 0, bytes: Buffer.alloc(0) });
    });

    it('once, however often the same bytes come', async () => {
      const bytes = bytesOf(9 * MIB, 5);
      const before = await stored();
      const first = await write(bytes);
      const once = await stored();
      expect(await write(bytes)).toEqual(first);
      expect(await stored()).toBe(once);
      await blobs.remove(pool, [first.hash]);
      expect(await stored()).toBe(before);
    });

    it.each([1_000, 9 * MIB])('when several write the same %i bytes at once', async (size) => {
      const bytes = bytesOf(size, 6);
      const before = await stored();
      const written = await Promise.all([write(bytes), write(bytes), write(bytes), write(bytes)]);
      expect(new Set(written.map(({ hash }) => hash))).toEqual(new Set([sha256(bytes)]));
      expect((await readAll(sha256(bytes)))?.bytes.equals(bytes)).toBe(true);
      await blobs.remove(pool, [sha256(bytes)]);
      expect(await stored()).toBe(before);
    });

    it('apart in each pool, also where names differ in case alone', async () => {
      const bytes = bytesOf(100, 8);
      const [one, other, longer] = [`a${pool}`, `A${pool}`, `a${pool}-2`];
      const { hash } = await write(bytes, one);
      expect(await blobs.stat(other, hash)).toBeUndefined();
      await write(bytes, other);
      await write(bytes, longer);
      await blobs.removePool(one);
      expect(await blobs.stat(one, hash)).toBeUndefined();
      expect(await blobs.stat(other, hash)).toEqual({ hash, size: 100 });
      expect(await blobs.stat(longer, hash)).toEqual({ hash, size: 100 });
      await Promise.all([other, longer].map((name) => blobs.removePool(name)));
      await blobs.removePool('never-there');
    });

    it.each([0, 1_000, 9 * MIB])(
      'of %i bytes in a second pool, where they stay when those of the first go',
      async (size) => {
        const bytes = bytesOf(size, 9);
        const { hash } = await write(bytes);
        const before = await stored();
        const other = `${pool}-copy`;
        expect(await blobs.copy(pool, other, hash)).toBe(true);
        expect(await blobs.copy(pool, other, hash)).toBe(true);
        await blobs.removePool(pool);
        expect(await stored()).toBe(before);
        const read = await blobs.read(other, hash);
        expect(read === undefined ? undefined : (await gather(read.stream)).equals(bytes)).toBe(true);
        expect(await blobs.copy(pool, other, sha256(bytesOf(7, 7)))).toBe(false);
        await blobs.removePool(other);
      },
    );

    it('and removes some of them, or a pool with what was left unfinished', async () => {
      const before = await stored();
      const written = await Promise.all([1, 2, 3].map((seed) => write(bytesOf(2 * MIB, seed))));
      const [first = '', second = ''] = written.map(({ hash }) => hash);
      await blobs.remove(pool, [first, sha256(bytesOf(1)), first]);
      expect(await blobs.read(pool, first)).toBeUndefined();
      expect(await blobs.stat(pool, first)).toBeUndefined();
      expect(await blobs.stat(pool, second)).toEqual({ hash: second, size: 2 * MIB });
      await blobs.removePool(pool);
      expect(await stored()).toBe(before);
    });

    it('and lists them page by page', async () => {
      const hashes = (await Promise.all([...Array(7).keys()].map((seed) => write(bytesOf(seed + 1, seed))))).map(
        ({ hash, size }) => ({ hash, size }),
      );
      const sorted = hashes.sort((one, other) => (one.hash < other.hash ? -1 : 1));
      expect(await blobs.list(pool, { limit: 1_000 })).toEqual(sorted);
      expect(await blobs.list(pool, { limit: 3 })).toEqual(sorted.slice(0, 3));
      expect(await blobs.list(pool, { after: sorted[2]?.hash, limit: 3 })).toEqual(sorted.slice(3, 6));
      expect(await blobs.list(pool, { after: sorted[6]?.hash, limit: 3 })).toEqual([]);
      expect(await blobs.list('nothing', { limit: 3 })).toEqual([]);
      await blobs.removePool(pool);
    });

    it('and lists pools that hold some', async () => {
      const names = ['p', 'p-1', 'p0', 'pA', 'pa', 'p_'].map((name) => `${pool}${name}`);
      for (const name of names) await write(bytesOf(10), name);
      const found: string[] = [];
      for (let after: string | undefined; ;) {
        const page = await blobs.listPools({ after, limit: 2 });
        expect(page.length).toBeLessThanOrEqual(2);
        found.push(...page);
        after = page.at(-1);
        if (after === undefined) break;
      }
      const key = (name: string) => `${name}/`;
      expect(found).toEqual([...found].sort((one, other) => (key(one) < key(other) ? -1 : 1)));
      expect(found.filter((name) => names.includes(name)).sort()).toEqual([...names].sort());
      await Promise.all(names.map((name) => blobs.removePool(name)));
      expect((await blobs.listPools({ limit: 1_000 })).filter((name) => names.includes(name))).toEqual([]);
    });

    describe('and nothing of', () => {
      let before: string[];
      beforeEach(async () => {
        before = (await everythingIn(place())).sort();
      });
      const nothingMore = async () => {
        expect(await blobs.list(pool, { limit: 10 })).toEqual([]);
        expect((await everythingIn(place())).sort()).toEqual(before);
      };

      it.each([100, 10 * MIB])('what has more than %i bytes', async (most) => {
        const bytes = inPieces(bytesOf(most + 1));
        await expect(blobs.write(pool, bytes, { ...soon(), most })).rejects.toMatchObject({
          name: 'BlobError',
          code: 'too_large',
          field: 'bytes',
        });
        await nothingMore();
        await expect(blobs.write(pool, inPieces(bytesOf(most)), { ...soon(), most })).resolves.toMatchObject({
          size: most,
        });
      });

      it.each([0, 100, 10 * MIB])('a stream that is cut off behind %i bytes', async (size) => {
        const cause = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        async function* cut(): AsyncGenerator<Uint8Array> {
          yield* inPieces(bytesOf(size));
          throw cause;
        }
        await expect(blobs.write(pool, cut(), soon())).rejects.toMatchObject({ code: 'interrupted', cause });
        await nothingMore();
      });

      it('a stream that hangs until the deadline', async () => {
        const source = new Readable({ read: () => undefined });
        source.push(bytesOf(10 * MIB));
        const options = { ...soon(), deadline: Date.now() + 1_500 };
        await expect(blobs.write(pool, source, options)).rejects.toMatchObject({
          code: 'interrupted',
          field: 'deadline',
          cause: { name: 'TimeoutError' },
        });
        await nothingMore();
      });

      it('what begins behind its deadline, or is no bytes', async () => {
        const late = { ...soon(), deadline: Date.now() - 1 };
        await expect(blobs.write(pool, inPieces(bytesOf(1)), late)).rejects.toMatchObject({ code: 'interrupted' });
        const text = Readable.from(['text']) as AsyncIterable<Uint8Array>;
        await expect(blobs.write(pool, text, soon())).rejects.toMatchObject({ code: 'invalid', field: 'bytes' });
        await nothingMore();
      });

      it('what a sweep catches while it is written', async () => {
        async function* slow(): AsyncGenerator<Uint8Array> {
          yield* inPieces(bytesOf(10 * MIB, 4));
          // Stores tell times in whole seconds.
          await delay(1_100);
          expect(await blobs.sweep({ olderThan: Date.now() + 1_000 })).toBeGreaterThan(0);
        }
        await expect(blobs.write(pool, slow(), soon())).rejects.toMatchObject({ name: 'BlobError' });
        await nothingMore();
      });
    });

    it('while a sweep looks for older ones', async () => {
      const began = Date.now() - 2_000;
      async function* swept(): AsyncGenerator<Uint8Array> {
        yield* inPieces(bytesOf(10 * MIB, 3));
        expect(await blobs.sweep({ olderThan: began })).toBe(0);
      }
      const { hash, size } = await blobs.write(pool, swept(), soon());
      expect(await blobs.sweep({ olderThan: Date.now() + 2_000 })).toBe(0);
      expect(await blobs.stat(pool, hash)).toEqual({ hash, size });
    });

    it('whose reader goes away at any time', async () => {
      const { hash } = await write(bytesOf(9 * MIB));
      for (let n = 0; n < 40; n++) {
        const unread = await blobs.read(pool, hash);
        unread?.stream.destroy();
        const begun = await blobs.read(pool, hash, { start: 5, end: 8 * MIB });
        for await (const _ of begun?.stream ?? []) break;
      }
      expect((await readAll(hash))?.bytes.byteLength).toBe(9 * MIB);
    });
  });
}
