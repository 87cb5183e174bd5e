import { setTimeout as delay } from 'node:timers/promises';
import type { Findings } from './findings.js';
import type { Random } from './random.js';
import type { World } from './world.js';

export interface KillOptions {
  kills: number;
  /** Longest pause between two kills, in ms. */
  pauseMs: number;
  say: (text: string) => void;
}

/**
 * Two replicas of each service start anew when the servers were killed; on two cores beside other work that takes its
 * time.
 */
const recoverMs = 60_000;
const awayMs = 1_000;
const tenth = 10;

/**
 * Kills processes at random, and starts them again. Mostly everything may recover first: otherwise nothing would ever
 * be under way; the other kills hit what is just starting.
 */
export async function killAtRandom(
  world: World,
  random: Random,
  findings: Findings,
  options: KillOptions,
): Promise<void> {
  for (let kill = 1; kill <= options.kills; kill += 1) {
    if (random.chance(0.7)) await recovered(world, findings);
    await delay(random.below(options.pauseMs));
    const victim = random.pick(world.all);
    await victim.kill(random.below(awayMs));
    findings.count(`kills of ${victim.name}`);
    findings.count('kills');
    if (kill % tenth === 0) options.say(`${kill} kills, ${findings.of('writes done')} writes acknowledged`);
  }
}

async function recovered(world: World, findings: Findings): Promise<void> {
  const began = performance.now();
  await world.untilReady(recoverMs).catch((error: unknown) => findings.report(`No recovery: ${String(error)}`));
  findings.count('recoveries');
  findings.count('recoveries, ms in all', Math.round(performance.now() - began));
}
