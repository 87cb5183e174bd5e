import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { Cleanup } from '../processes/cleanup.js';
import { repositoryFile } from '../processes/paths.js';
import { tempFolder } from '../processes/temp-folder.js';

const FirstRun = z.object({
  endpoint: z.string(),
  token: z.string(),
  user: z.object({ id: z.string() }),
  organization: z.object({ id: z.string() }),
});

const RunFile = z.object({
  adminPorts: z.record(z.string(), z.int()),
  environment: z.object({
    EVENTSTORE_URL: z.string(),
    MONGODB_URL: z.string(),
    NATS_URL: z.string(),
    NAMESPACE: z.string(),
    /** Where files and sites are served. */
    CONTENT_ORIGIN: z.string(),
  }),
});

/** Names of the processes of an installation. */
export type ProcessName = 'servers' | 'services' | 'gateway';

/** An installation in four processes below their supervisor, on a folder of its own. */
export interface Product {
  endpoint: string;
  token: string;
  user: string;
  organization: string;
  servers: z.output<typeof RunFile>['environment'];
  /** The keyring of the installation, for further processes of it. */
  secretKeys: string;
  /** Process id of the supervisor. */
  supervisor: number;
  pidOf(name: ProcessName | 'reader'): number;
  stop(): Promise<void>;
}

const readyWithinMs = 90_000;
const stopWithinMs = 10_000;
const keptLines = 40;

/** Starts the built product by its own command. `environment` comes on top of the search path and nothing else. */
export async function startProduct(cleanup: Cleanup, environment: Record<string, string> = {}): Promise<Product> {
  const folder = await tempFolder(cleanup);
  const script = `const { main } = await import(${JSON.stringify(repositoryFile('apps/cli/dist/main.js'))}); await main(['node', 'scriptorium', 'start']);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: folder,
      LOG_FORMAT: 'json',
      RATE_LIMIT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => end(child);
  cleanup.add(stop);
  const pids = new Map<string, number>();
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line);
    if (said.length > keptLines) said.shift();
    notePid(line, pids);
  });
  await untilBanner(child, said);
  const first = FirstRun.parse(JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8')));
  const run = RunFile.parse(JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')));
  return {
    endpoint: first.endpoint,
    token: first.token,
    user: first.user.id,
    organization: first.organization.id,
    servers: run.environment,
    secretKeys: (await readFile(join(folder, 'secret-keys'), 'utf8')).trim(),
    supervisor: child.pid ?? 0,
    pidOf: (name) => pids.get(name) ?? 0,
    stop,
  };
}

/** Each process says its id in its `ready` line. */
function notePid(line: string, pids: Map<string, number>): void {
  if (!line.includes('"msg":"ready"')) return;
  const { name, pid } = JSON.parse(line) as { name: string; pid: number };
  pids.set(name, pid);
}

async function untilBanner(child: ChildProcess, said: readonly string[]): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`The product was not ready within ${readyWithinMs} ms:\n${said.join('\n')}`)),
      readyWithinMs,
    );
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-10_000);
      if (!text.includes('Ctrl-C stops it.')) return;
      clearTimeout(late);
      resolve();
    });
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`The product ended with ${code}:\n${said.join('\n')}`));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await gone;
  clearTimeout(kill);
}
