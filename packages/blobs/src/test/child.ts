import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type StorePlace } from './stores.js';

const WRITER = fileURLToPath(new URL('../../dist/test/writer.js', import.meta.url));

type WriterMode = 'acknowledge' | 'hang' | 'many' | 'measure';

export interface Writer {
  /** The first line that it says, parsed. */
  readonly said: Promise<unknown>;
  /** All lines so far, as they are. */
  lines(): readonly string[];
  kill(): Promise<void>;
}

/** Starts a process that writes; `limitKiB` bounds its files as a full disk does. */
export function startWriter(place: StorePlace, mode: WriterMode, limitKiB?: number): Writer {
  const limit = limitKiB === undefined ? '' : `trap '' XFSZ; ulimit -f ${String(limitKiB * 2)}; `;
  const args = [process.execPath, '--expose-gc', '--no-warnings', WRITER, JSON.stringify(place), mode];
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = (): Promise<void> => {
    child.kill('SIGKILL');
    return gone;
  };
  const lines: string[] = [];
  return { said: firstLine(child, lines), lines: () => lines, kill };
}

function firstLine(child: ChildProcessByStdio<null, Readable, Readable>, lines: string[]): Promise<unknown> {
  let complaints = '';
  child.stderr.on('data', (data) => (complaints += String(data)));
  return new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      resolve(JSON.parse(line));
    });
    child.once('close', () => reject(new Error(`The writer ended: ${complaints}`)));
  });
}
