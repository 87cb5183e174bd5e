import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

/** A GET request to an earlier version, and its answer, in which `*` stands for any text. */
export interface RecordedAnswer {
  /** The owner of the token, by name in `World.tokens`; with any other name, the request has no token. */
  caller: string;
  path: string;
  status: number;
  body: unknown;
}

/** The people and resources in the recorded data folder, by name. */
export interface World {
  users: Record<'admin' | 'ada' | 'ben' | 'cleo' | 'dora' | 'erased' | 'build', string>;
  organizations: Record<'first' | 'second' | 'deleted', string>;
  teams: Record<'writers' | 'reviewers' | 'deleted', string>;
  tokens: Record<string, string>;
  /** The password of ada and cleo, whose addresses are `<name>@example.org`. */
  password: string;
}

const recordedFolder = fileURLToPath(new URL('../../src/test/recorded-data', import.meta.url));

/** The recorded answers for the data folder that `unpackRecordedFolder` creates. */
export function readRecorded(): { world: World; answers: RecordedAnswer[] } {
  return JSON.parse(readFileSync(join(recordedFolder, 'recorded.json'), 'utf8')) as ReturnType<typeof readRecorded>;
}

/** Creates the data folder of the earlier version at `target`. */
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
