import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { gather, sha256 } from './bytes.js';
import { startWriter } from './child.js';
import { everythingIn, openStore, type StorePlace } from './stores.js';

const POOL = 'killed';
const MIB = 1024 * 1024;

/** What every adapter survives, and how much memory it takes, shown by processes of their own. */
export function survives(name: string, place: () => StorePlace): void {
  describe(`${name} with a process of its own`, () => {
    it('shows nothing of a write that was killed, and sweeps what it left', async () => {
      const before = await everythingIn(place());
      const writer = startWriter(place(), 'hang');
      expect(await writer.said).toBe('written');
      await writer.kill();
      const blobs = openStore(place());
      expect(await blobs.list(POOL, { limit: 10 })).toEqual([]);
      expect((await everythingIn(place())).length).toBeGreaterThan(before.length);
      expect(await blobs.sweep({ olderThan: Date.now() - 60_000 })).toBe(0);
      expect(await blobs.sweep({ olderThan: Date.now() + 2_000 })).toBe(1);
      expect((await everythingIn(place())).sort()).toEqual(before.sort());
      await blobs.close();
    });

    it.each([20, 90, 170, 260])('has whole blobs alone, killed %i ms behind its first one', async (ms) => {
      const before = await everythingIn(place());
      const writer = startWriter(place(), 'many');
      await writer.said;
      await delay(ms);
      await writer.kill();
      const blobs = openStore(place());
      const found = (await blobs.list(POOL, { limit: 1_000 })).map(({ hash }) => hash);
      for (const hash of found) {
        const read = await blobs.read(POOL, hash);
        expect(sha256(await gather(read?.stream ?? Readable.from([])))).toBe(hash);
      }
      const acknowledged = writer.lines().map((line) => JSON.parse(line) as string);
      expect(found).toEqual(expect.arrayContaining(acknowledged));
      await blobs.sweep({ olderThan: Date.now() + 2_000 });
      await blobs.remove(POOL, found);
      expect((await everythingIn(place())).sort()).toEqual(before.sort());
      await blobs.close();
    });

    it('removes with a pool what a killed write left in it', async () => {
      const before = await everythingIn(place());
      const writer = startWriter(place(), 'hang');
      await writer.said;
      await writer.kill();
      const blobs = openStore(place());
      await blobs.removePool(POOL);
      expect((await everythingIn(place())).sort()).toEqual(before.sort());
      await blobs.close();
    });

    it('keeps what was acknowledged when the writer is killed at once', async () => {
      const writer = startWriter(place(), 'acknowledge');
      const { hash, size } = (await writer.said) as { hash: string; size: number };
      await writer.kill();
      const blobs = openStore(place());
      const read = await blobs.read(POOL, hash);
      expect(await gather(read?.stream ?? Readable.from([]))).toHaveLength(size);
      await blobs.removePool(POOL);
      await blobs.close();
    });

    it('takes at most 64 MB of memory for 100 MB', async () => {
      const writer = startWriter(place(), 'measure');
      const { writing, reading, same } = (await writer.said) as { writing: number; reading: number; same: boolean };
      await writer.kill();
      expect(same).toBe(true);
      expect(writing / MIB).toBeLessThan(64);
      expect(reading / MIB).toBeLessThan(64);
      const blobs = openStore(place());
      await blobs.removePool(POOL);
      await blobs.close();
    }, 120_000);
  });
}
