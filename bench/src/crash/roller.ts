import { setTimeout as delay } from 'node:timers/promises';
import type { Findings } from './findings.js';
import type { Managed } from './managed-process.js';
import type { World } from './world.js';

const readyMs = 30_000;

/**
 * Every `everyMs` until `forMs` are over one process is killed and the next one stopped as an update does it, both
 * started again at once: gateways and replicas by turns. Of each there are two, and the other one is always left to
 * answer.
 */
export async function rollThrough(
  world: World,
  findings: Findings,
  { everyMs, forMs }: { everyMs: number; forMs: number },
): Promise<void> {
  const end = performance.now() + forMs;
  for (let turn = 0; performance.now() < end; turn += 1) {
    const began = performance.now();
    const [some, others] = turn % 2 === 0 ? [world.gateways, world.replicas] : [world.replicas, world.gateways];
    const at = Math.floor(turn / 2) % 2;
    await Promise.all([disturb(some, at, kill, findings), disturb(others, at, roll, findings)]);
    await delay(Math.max(0, everyMs - (performance.now() - began)));
  }
}

async function disturb(
  pair: readonly Managed[],
  at: number,
  act: (process: Managed) => Promise<void>,
  findings: Findings,
): Promise<void> {
  const [victim, other] = [pair[at], pair[1 - at]];
  if (victim === undefined || other === undefined) throw new Error('There are not two of them');
  await Promise.all([victim.untilReady(readyMs), other.untilReady(readyMs)]);
  await act(victim);
  findings.count(`${act.name}s of ${victim.name}`);
  findings.count(`${act.name}s`);
}

async function kill(process: Managed): Promise<void> {
  await process.kill(0);
}

async function roll(process: Managed): Promise<void> {
  await process.stop();
  process.start();
}
