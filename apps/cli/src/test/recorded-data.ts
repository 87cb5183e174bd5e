import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

/** A GET request to an earlier version, and its answer; `*` in it stands for any text. */
export interface RecordedAnswer {
  /** Whose token it carried, by name in `World.tokens`; another name: none. */
  caller: string;
  path: string;
  status: number;
  body: unknown;
}

/** Who and what is in the recorded data folder, by name. */
export interface World {
  users: Record<'admin' | 'ada' | 'ben' | 'cleo' | 'dora' | 'erased' | 'build', string>;
  organizations: Record<'first' | 'second' | 'deleted', string>;
  teams: Record<'writers' | 'reviewers' | 'deleted', string>;
  tokens: Record<string, string>;
  /** Of ada and cleo, whose addresses are `<name>@example.org`. */
  password: string;
}

const recordedFolder = fileURLToPath(new URL('../../src/test/recorded-data', import.meta.url));

/** What was recorded of the data folder that `unpackRecordedFolder` makes. */
export function readRecorded(): { world: World; answers: RecordedAnswer[] } {
  return JSON.parse(readFileSync(join(recordedFolder, 'recorded.json'), 'utf8')) as ReturnType<typeof readRecorded>;
}

/** Makes the data folder of the earlier version at `target`. */
export function unpackRecordedFolder(target: string): void {
  const source = join(recordedFolder, 'folder');
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const to = join(target, relative(source, path).replace(/\.br$/, ''));
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    writeFileSync(to, brotliDecompressSync(readFileSync(path)), { mode: 0o600 });
  }
}
