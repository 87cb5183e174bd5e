import { AppError, callOperation, services } from '@scriptorium/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../processes/wait-for.js';
import type { Caller } from './caller.js';
import type { Findings } from './findings.js';
import { lossesOf } from './losses.js';
import type { Memory } from './memory.js';
import type { World } from './world.js';

const patienceMs = 30_000;
const settleMs = 60_000;
const quietMs = 1_000;

/** Compares everything that was promised with what is there, and what is there with a rebuild from the first event. */
export async function verify(
  world: World,
  memories: readonly Memory[],
  caller: Caller,
  findings: Findings,
): Promise<void> {
  await world.untilReady(settleMs);
  await caughtUp(world);
  for (const memory of memories) {
    const end = performance.now() + patienceMs;
    let losses = await lossesOf(memory, caller);
    // Reactors may still be on their way; what is lost stays lost.
    while (losses.length > 0 && performance.now() < end) {
      await delay(quietMs);
      losses = await lossesOf(memory, caller);
    }
    for (const loss of losses) findings.report(`${memory.name}: ${loss}`);
  }
  await nothingParked(world, findings);
  await rebuildsEqual(world, findings);
}

/** Waits until all projections of all services are live and nobody moves on any more. */
async function caughtUp(world: World): Promise<void> {
  let last = '';
  await waitFor(
    'read models to catch up',
    async () => {
      const lists = await Promise.all(
        services.map(({ operator }) => callOperation(world, operator.consumers, { query: { limit: 1000 } })),
      );
      const items = lists.flatMap((list) => list.items);
      const now = JSON.stringify(items.map(({ name, state, position }) => [name, state, position]));
      const live = items.every(({ kind, state }) => kind === 'reactor' || state === 'live');
      const still = live && now === last;
      last = now;
      return still;
    },
    settleMs,
    quietMs,
  );
}

async function nothingParked(world: World, findings: Findings): Promise<void> {
  for (const { operator } of services) {
    const { items } = await callOperation(world, operator.parked, { query: { limit: 1000 } });
    for (const { consumer, eventType, stream, error } of items)
      findings.report(`${consumer} gave up ${eventType} of ${stream}: ${error}`);
  }
}

async function rebuildsEqual(world: World, findings: Findings): Promise<void> {
  for (const { name: service, operator } of services) {
    const { items } = await callOperation(world, operator.consumers, { query: { limit: 1000 } });
    for (const { name } of items.filter(({ kind }) => kind === 'projection')) {
      const result = await undisturbed(() =>
        callOperation({ ...world, timeoutMs: 600_000 }, operator.rebuild, { params: { projection: name } }),
      );
      findings.count('projections compared with a rebuild');
      findings.count('documents compared with a rebuild', result.live.documents);
      if (!result.equal || result.changing > 0)
        findings.report(`${service}: ${name} differs from its rebuild: ${JSON.stringify(result)}`);
    }
  }
}

/**
 * On a busy machine a rebuild may be taken for dead, and a repetition of its request takes over: then it is asked for
 * again.
 */
async function undisturbed<T>(rebuild: () => Promise<T>): Promise<T> {
  for (let left = 3; ; left -= 1) {
    try {
      return await rebuild();
    } catch (error) {
      if (left === 0 || !(error instanceof AppError) || error.reason !== 'conflict') throw error;
    }
  }
}
