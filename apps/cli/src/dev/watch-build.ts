import { spawn } from 'node:child_process';
import { existsSync, readFileSync, watch } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { splitLines } from '../supervisor/lines.js';
import { inTurn } from './in-turn.js';

export interface BuildWatch {
  stop(): void;
}

export interface BuildWatchOptions {
  /** The folder of the repository. */
  root: string;
  /** The folder of the workspace that is built, together with its dependencies in the repository. */
  folder: string;
  onLine: (line: string) => void;
  /** Called after each successful build. */
  onBuilt: () => void;
}

const settleMs = 50;

/** Builds a workspace and its dependencies now and after each change of a source. Types are not checked. */
export function watchBuild({ root, folder, onLine, onBuilt }: BuildWatchOptions): BuildWatch {
  let settle: NodeJS.Timeout | undefined;
  const { name } = manifestOf(folder);
  const stopping = new AbortController();
  const build = inTurn(async () => {
    if ((await transpile(root, name, onLine, stopping.signal)) && !stopping.signal.aborted) onBuilt();
  });
  // An editor writes a file in several steps, which cause one build.
  const changed = () => {
    clearTimeout(settle);
    settle = setTimeout(build, settleMs);
  };
  // A watched folder can be deleted, for example when another branch is checked out. That must not end the session.
  const watchers = sourceFolders(root, folder).map((source) =>
    watch(source, { recursive: true }, changed).on('error', (error) => onLine(error.message)),
  );
  build();
  return {
    stop() {
      clearTimeout(settle);
      for (const watcher of watchers) watcher.close();
      stopping.abort();
    },
  };
}

/** Whether the build succeeded. Its output is passed on line by line. */
function transpile(root: string, name: string, onLine: (line: string) => void, signal: AbortSignal): Promise<boolean> {
  const turbo = createRequire(import.meta.url).resolve('turbo/bin/turbo');
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_UI: 'false', FORCE_COLOR: '0' };
  const child = spawn(process.execPath, [turbo, 'run', 'transpile', `--filter=${name}`, '--output-logs=errors-only'], {
    cwd: root,
    env,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const lines = splitLines((raw) => {
    const line = stripVTControlCharacters(raw).trim();
    if (line !== '') said.push(line);
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', lines.push);
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => {
      lines.end();
      if (code !== 0 && !signal.aborted) problems(said).forEach(onLine);
      resolve(code === 0);
    });
  });
}

/** The lines of a failed build that a developer needs: those of the compiler, or all if there are none. */
export function problems(said: readonly string[]): string[] {
  const own = said.filter((line) => /: error TS\d+: /.test(line));
  return own.length === 0 ? [...said] : [...own, 'the last version that could be built keeps running'];
}

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The source folders of a workspace and of all its dependencies in the repository. */
export function sourceFolders(root: string, folder: string): string[] {
  const found = new Set<string>();
  const add = (each: string) => {
    if (found.has(each)) return;
    found.add(each);
    for (const name of Object.keys(manifestOf(each).dependencies ?? {})) {
      const own = /^@scriptorium\/([a-z-]+)$/.exec(name)?.[1];
      const place = own === undefined ? undefined : join(root, 'packages', own);
      if (place !== undefined && existsSync(place)) add(place);
    }
  };
  add(folder);
  return [...found].map((each) => join(each, 'src'));
}
