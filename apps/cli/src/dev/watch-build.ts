import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { stripVTControlCharacters } from 'node:util';
import { splitLines } from '../supervisor/lines.js';

export interface BuildWatch {
  /** Resolves when the compiler has ended by itself, with what it last said. */
  failed: Promise<string>;
  stop(): void;
}

export interface BuildWatchOptions {
  /** Folder of the workspace whose `tsconfig.json` is built, with all that it refers to. */
  folder: string;
  onLine: (line: string) => void;
  /** After each build without errors. */
  onBuilt: () => void;
}

const built = /Found 0 errors\. Watching for file changes\./;

/** Builds a workspace and what it depends on, again on each change of a source. */
export function watchBuild({ folder, onLine, onBuilt }: BuildWatchOptions): BuildWatch {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const child = spawn(process.execPath, [tsc, '--build', folder, '--watch', '--preserveWatchOutput'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let last = '';
  const lines = splitLines((raw) => {
    const line = stripVTControlCharacters(raw).trim();
    if (line === '') return;
    last = line;
    onLine(line);
    if (built.test(line)) onBuilt();
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', lines.push);
  const failed = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(last === '' ? `exit code ${code}` : last));
  });
  return { failed, stop: () => void child.kill('SIGTERM') };
}
