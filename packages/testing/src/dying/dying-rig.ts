import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '@scriptorium/platform';
import { environmentOf } from '../environment-of.js';
import type { InstallationOptions } from '../installation.js';
import { startOwnRig, type OwnRig } from '../own-rig.js';

/** A rig whose first service runs as processes, which die once at each of some points. */
export interface DyingRig extends OwnRig {
  /** From now on they die. */
  arm(): Promise<unknown>;
  /** How many have died. */
  deaths(): number;
  /** The points at which none has died yet. */
  left(): Promise<string[]>;
  /** The replicas that run now. */
  pids(): number[];
}

/** The first service of a dying rig: the `main.js` of its app, which must have been built, and where replicas die. */
export interface DyingService {
  main: URL;
  /** See `dying-replica.ts`. */
  points: readonly string[];
}

const replicaCount = 2;
const script = fileURLToPath(new URL('dying-replica.js', import.meta.url));

/** Starts the rig. A replica that has died is started again. */
export async function startDyingRig(options: InstallationOptions, { main, points }: DyingService): Promise<DyingRig> {
  const marks = await mkdtemp(join(tmpdir(), 'deaths-'));
  const replicas = new Replicas([script, main.href, marks, ...points]);
  const [first, ...others] = options.services;
  const create = (config: object): Promise<App> => replicas.start(first.name, environmentOf(config));
  const rig = await startOwnRig({ ...options, services: [{ ...first, create }, ...others] });
  const left = async (): Promise<string[]> => {
    const reached = new Set(await readdir(marks));
    return points.filter((_, index) => !reached.has(String(index)));
  };
  const stop: OwnRig['stop'] = async (look) => {
    await rig.stop(look);
    await rm(marks, { recursive: true, force: true });
  };
  const arm = (): Promise<unknown> => mkdir(join(marks, 'armed'));
  return { ...rig, stop, arm, left, deaths: () => replicas.deaths, pids: () => replicas.pids() };
}

/** The processes of one service. */
class Replicas {
  deaths = 0;
  readonly #given: readonly string[];
  readonly #running = new Set<ChildProcess>();
  #isEnding = false;

  constructor(given: readonly string[]) {
    this.#given = given;
  }

  async start(name: string, env: Record<string, string>): Promise<App> {
    await Promise.all(Array.from({ length: replicaCount }, () => this.#startOne(env)));
    return { name, checks: () => Promise.resolve([]), stop: () => this.#stop() };
  }

  pids(): number[] {
    return [...this.#running].flatMap(({ pid }) => pid ?? []);
  }

  async #startOne(env: Record<string, string>): Promise<void> {
    const child = spawn(process.execPath, this.#given, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#running.add(child);
    child.once('exit', (_, signal) => {
      this.#running.delete(child);
      if (signal === 'SIGKILL') this.deaths += 1;
      if (!this.#isEnding) void this.#startOne(env);
    });
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
  }

  async #stop(): Promise<void> {
    this.#isEnding = true;
    const ends = [...this.#running].map((child) => once(child, 'exit'));
    for (const child of this.#running) child.kill('SIGTERM');
    await Promise.all(ends);
  }
}
