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
  /** Folder of the repository. */
  root: string;
  /** Folder of the workspace to build, with all of the repository that it depends on. */
  folder: string;
  onLine: (line: string) => void;
  /** After each build that succeeded, the first at once. */
  onBuilt: () => void;
}

const settleMs = 50;

/** Builds a workspace and what it depends on, again on each change of a source. Types are not checked. */
export function watchBuild({ root, folder, onLine, onBuilt }: BuildWatchOptions): BuildWatch {
  let settle: NodeJS.Timeout | undefined;
  const { name } = manifestOf(folder);
  const stopping = new AbortController();
  const build = inTurn(async () => {
    if ((await transpile(root, name, onLine, stopping.signal)) && !stopping.signal.aborted) onBuilt();
  });
  // An editor writes a file in several steps; one build answers them all.
  const changed = () => {
    clearTimeout(settle);
    settle = setTimeout(build, settleMs);
  };
  // Folders that vanish under a watcher, as when another branch is checked out, must not end the session.
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

/** Whether it could be built; what is wrong comes line by line. */
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

/** What a developer wants to know of a failed build: the compiler's own lines, or all where it said nothing. */
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

/** Folders of sources of a workspace and of all in the repository that it depends on. */
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
