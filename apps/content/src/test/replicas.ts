import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import type { App, ServiceConfig } from '@scriptorium/platform';
import { asOneClient, startOwnRig, type OwnRig } from '@scriptorium/testing/own-rig';
import { settings } from '../settings.js';

type Config = ServiceConfig & Partial<Record<'CONTENT_ORIGIN' | 'DATA_DIR', string>>;

/**
 * A rig whose replicas of content are processes, which die once at each of these points. The workspace must have been
 * built.
 */
export interface DyingRig extends OwnRig {
  /** From now on they die. */
  arm(): Promise<unknown>;
  /** How many have died. */
  deaths(): number;
  /** The replicas that run now. */
  pids(): number[];
}

const replicas = 2;
const script = fileURLToPath(new URL('../../dist/test/dying-replica.js', import.meta.url));

/**
 * Starts it. What has died is started again. `points`: see `dying-replica.ts`; `variables`: further ones of the
 * environment.
 */
export async function startDyingRig(
  points: readonly string[],
  variables: Record<string, string> = {},
): Promise<DyingRig> {
  const marks = await mkdtemp(join(tmpdir(), 'deaths-'));
  let deaths = 0;
  const running = new Set<ChildProcess>();
  const create = async (config: Config): Promise<App> => {
    let isEnding = false;
    const start = async (): Promise<void> => {
      const child = spawn(process.execPath, [script, marks, ...points], {
        env: { ...environmentOf(config), ...variables },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      running.add(child);
      child.once('exit', (_, signal) => {
        running.delete(child);
        if (signal === 'SIGKILL') deaths += 1;
        if (!isEnding) void start();
      });
      await Promise.race([once(child, 'message'), once(child, 'exit')]);
    };
    await Promise.all(Array.from({ length: replicas }, start));
    const stop = async (): Promise<void> => {
      isEnding = true;
      const ends = [...running].map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGTERM');
      await Promise.all(ends);
    };
    return { name: 'content', checks: () => Promise.resolve([]), stop };
  };
  const rig = await startOwnRig({
    services: [
      { name: 'content', create: (config) => create(config), settings },
      { name: 'identity', create: createIdentity, settings: identitySettings },
    ],
    startGateway: (defaults) => createGateway(defaults, { recentWrites: asOneClient(createRecentWrites()) }),
  });
  const stop: OwnRig['stop'] = async (look) => {
    await rig.stop(look);
    await rm(marks, { recursive: true, force: true });
  };
  return {
    ...rig,
    stop,
    arm: () => mkdir(join(marks, 'armed')),
    deaths: () => deaths,
    pids: () => [...running].flatMap(({ pid }) => pid ?? []),
  };
}

function environmentOf(config: Config): Record<string, string> {
  const { NAMESPACE, EVENTSTORE_URL, MONGODB_URL, NATS_URL, SECRET_KEYS, PUBLIC_URL } = config;
  const { CONTENT_ORIGIN = '', DATA_DIR = '' } = config;
  return {
    PATH: process.env['PATH'] ?? '',
    NAMESPACE,
    EVENTSTORE_URL,
    MONGODB_URL,
    NATS_URL,
    SECRET_KEYS,
    PUBLIC_URL,
    CONTENT_ORIGIN,
    DATA_DIR,
    ADMIN_PORT: '0',
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
  };
}
