import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import type { App, ServiceConfig } from '@scriptorium/platform';
import { asOneClient, startOwnRig, type OwnRig } from '@scriptorium/testing/own-rig';
import { settings } from '../settings.js';

/**
 * A rig whose two replicas of conversations are processes, which die once at each of these points. The workspace must
 * have been built.
 */
export interface DyingRig extends OwnRig {
  /** From now on they die. */
  arm(): Promise<unknown>;
  /** The points at which none has died yet. */
  left(): Promise<string[]>;
}

const replicaCount = 2;
const script = fileURLToPath(new URL('../../dist/test/dying-replica.js', import.meta.url));

/** Starts it. What has died is started again. `points`: see `dying-replica.ts`. */
export async function startDyingRig(points: readonly string[]): Promise<DyingRig> {
  const marks = await mkdtemp(join(tmpdir(), 'deaths-'));
  const create = (config: ServiceConfig): Promise<App> => startReplicas([marks, ...points], environmentOf(config));
  const rig = await startOwnRig({
    services: [
      { name: 'conversations', create, settings },
      { name: 'identity', create: createIdentity, settings: identitySettings },
    ],
    startGateway: (defaults) => createGateway(defaults, { recentWrites: asOneClient(createRecentWrites()) }),
  });
  const left = async (): Promise<string[]> => {
    const reached = new Set(await readdir(marks));
    return points.filter((_, index) => !reached.has(String(index)));
  };
  const stop: OwnRig['stop'] = async (look) => {
    await rig.stop(look);
    await rm(marks, { recursive: true, force: true });
  };
  return { ...rig, stop, arm: () => mkdir(join(marks, 'armed')), left };
}

async function startReplicas(given: readonly string[], env: Record<string, string>): Promise<App> {
  const running = new Set<ChildProcess>();
  let isEnding = false;
  const start = async (): Promise<void> => {
    const child = spawn(process.execPath, [script, ...given], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    running.add(child);
    child.once('exit', () => {
      running.delete(child);
      if (!isEnding) void start();
    });
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
  };
  await Promise.all(Array.from({ length: replicaCount }, start));
  const stop = async (): Promise<void> => {
    isEnding = true;
    const ends = [...running].map((child) => once(child, 'exit'));
    for (const child of running) child.kill('SIGTERM');
    await Promise.all(ends);
  };
  return { name: 'conversations', checks: () => Promise.resolve([]), stop };
}

function environmentOf({
  NAMESPACE,
  EVENTSTORE_URL,
  MONGODB_URL,
  NATS_URL,
  SECRET_KEYS,
  PUBLIC_URL,
}: ServiceConfig): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NAMESPACE,
    EVENTSTORE_URL,
    MONGODB_URL,
    NATS_URL,
    SECRET_KEYS,
    PUBLIC_URL,
    ADMIN_PORT: '0',
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
  };
}
