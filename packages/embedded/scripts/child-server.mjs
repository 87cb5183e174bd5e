import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const START_MS = 30_000;
const STOP_MS = 10_000;

/** Where a program of this name is on the PATH, if it is. */
export function onPath(name) {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** What a program says about its version. */
export function versionOf(file, ...args) {
  return execFileSync(file, args, { encoding: 'utf8', timeout: START_MS }).trim();
}

/**
 * Starts a server in a temporary folder. `args(folder)`: its arguments; `url(folder, output)`: its address as soon as
 * that is known.
 * @throws when it ends or gives no address in 30 s, with what it said
 */
export async function startChild({ file, args, url }) {
  const folder = await mkdtemp(join(tmpdir(), 'real-server-'));
  const child = spawn(file, args(folder), { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  let output = '';
  const keep = (data) => (output = (output + String(data)).slice(-65_536));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', keep);
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(end, STOP_MS);
    await ended;
    clearTimeout(timer);
    process.off('exit', end);
    await rm(folder, { recursive: true, force: true });
  };
  let gone = false;
  void ended.then(() => (gone = true));
  const deadline = Date.now() + START_MS;
  for (;;) {
    const address = url(folder, output);
    if (address !== undefined) return { url: address, stop };
    if (gone || Date.now() > deadline) {
      await stop();
      throw new Error(`${file} did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
