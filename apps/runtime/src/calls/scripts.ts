import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blame } from '../refusal.js';

/** Scripts in a folder of this process, by their SHA-256. Those that were used least recently leave. */
export interface Scripts {
  /** The file of a script; undefined if it has to be sent. */
  find(hash: string): Promise<string | undefined>;
  /** @throws Refusal where the bytes have another hash */
  put(hash: string, bytes: Buffer): Promise<void>;
  stop(): Promise<void>;
}

export const largestScript = 4 * 1024 * 1024;
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

export async function createScripts(temp: string = tmpdir(), mostBytes = 256 * 1024 * 1024): Promise<Scripts> {
  const folder = await mkdtemp(join(temp, 'scr-'));
  // In the order of their last use.
  const sizes = new Map<string, number>();
  let total = 0;
  const fileOf = (hash: string): string => join(folder, `${hash}.js`);
  const forget = async (hash: string): Promise<void> => {
    total -= sizes.get(hash) ?? 0;
    sizes.delete(hash);
    await rm(fileOf(hash), { force: true });
  };
  return {
    async find(hash) {
      const size = sizes.get(hash);
      if (size === undefined) return undefined;
      sizes.delete(hash);
      sizes.set(hash, size);
      const file = fileOf(hash);
      // Programs that tidy temporary folders may have removed it.
      if (await wasTouched(file)) return file;
      await forget(hash);
      return undefined;
    },
    async put(hash, bytes) {
      if (createHash('sha256').update(bytes).digest('hex') !== hash) throw blame('body', 'Has another SHA-256');
      const draft = join(folder, randomUUID());
      await writeFile(draft, bytes, { mode: 0o600 });
      await rename(draft, fileOf(hash));
      total += bytes.length - (sizes.get(hash) ?? 0);
      sizes.delete(hash);
      sizes.set(hash, bytes.length);
      for (const oldest of sizes.keys()) {
        if (total <= mostBytes || oldest === hash) break;
        await forget(oldest);
      }
    },
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Sets the time of a file, so that it counts as used; false if it is not there. */
function wasTouched(file: string): Promise<boolean> {
  return utimes(file, new Date(), new Date()).then(
    () => true,
    () => false,
  );
}
