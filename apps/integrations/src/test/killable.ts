import { freePort } from '@scriptorium/embedded/free-port';
import type { App, ServiceConfig } from '@scriptorium/platform';
import { environmentOf } from '@scriptorium/testing/own-rig';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A process that is started again whenever it is killed. */
export interface Killable {
  /** Kills it and what it has started, without a word. Resolves when it is there again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a program with nothing but this environment, in a process group of its own. */
export async function startKillable(program: string, environment: Record<string, string>): Promise<Killable> {
  const begin = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [program], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    });
    const said = once(child, 'message').then(() => 'ready' as const);
    const ended = once(child, 'exit').then(() => 'ended' as const);
    if ((await Promise.race([said, ended])) === 'ended') throw new Error(`${program} has ended before it was ready`);
    return child;
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal);
    await ended;
  };
  let running = await begin();
  return {
    async kill() {
      await end(running, 'SIGKILL');
      running = await begin();
    },
    stop: () => end(running, 'SIGTERM'),
  };
}

const { resolve } = createRequire(import.meta.url);

/** A runtime of scripts as a process. `origin`: what scripts may ask besides public addresses. */
export async function startKillableRuntime(key: string, origin: string): Promise<Killable & { url: string }> {
  const port = String(await freePort());
  const program = join(dirname(resolve('@scriptorium/runtime')), 'main.js');
  const environment = environmentOf({ RUNTIME_KEY: key, RUNTIME_PORT: port, RUNTIME_API_ORIGIN: origin });
  return { ...(await startKillable(program, environment)), url: `http://127.0.0.1:${port}` };
}

/** Two replicas of the service as processes, which are added to `all`. The workspace must have been built. */
export function createKillableReplicas(all: Killable[]): (config: ServiceConfig) => Promise<App> {
  const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
  return async (config) => {
    const environment = environmentOf(config);
    const replicas = [await startKillable(program, environment), await startKillable(program, environment)];
    all.push(...replicas);
    const stop = async (): Promise<void> => void (await Promise.all(replicas.map((one) => one.stop())));
    return { name: 'integrations', checks: () => Promise.resolve([]), stop };
  };
}
