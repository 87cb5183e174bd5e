import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type StorePlace } from './stores.js';

const WRITER = fileURLToPath(new URL('../../dist/test/writer.js', import.meta.url));

export interface Writer {
  /** The first line that it says, parsed. */
  readonly said: Promise<unknown>;
  kill(): Promise<void>;
}

/** Starts a process that writes; `limitKiB` bounds its files as a full disk does. */
export function startWriter(place: StorePlace, mode: 'acknowledge' | 'hang' | 'measure', limitKiB?: number): Writer {
  const limit = limitKiB === undefined ? '' : `trap '' XFSZ; ulimit -f ${String(limitKiB * 2)}; `;
  const args = [process.execPath, '--expose-gc', '--no-warnings', WRITER, JSON.stringify(place), mode];
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = (): Promise<void> => {
    child.kill('SIGKILL');
    return gone;
  };
  return { said: firstLine(child), kill };
}

function firstLine(child: ChildProcess): Promise<unknown> {
  let complaints = '';
  child.stderr?.on('data', (data) => (complaints += String(data)));
  return new Promise((resolve, reject) => {
    if (child.stdout !== null)
      createInterface(child.stdout).once('line', (line) => {
        resolve(JSON.parse(line));
      });
    child.once('close', () => reject(new Error(`The writer ended: ${complaints}`)));
  });
}
