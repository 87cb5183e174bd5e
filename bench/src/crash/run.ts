import type { Cleanup } from '../processes/cleanup.js';
import { createCaller } from './caller.js';
import { Findings } from './findings.js';
import { foundMemories } from './found.js';
import { acceptInvitations } from './invitations.js';
import { killAtRandom } from './killer.js';
import { createRandom } from './random.js';
import { runRevoker } from './revoker.js';
import { verify } from './verify.js';
import { createWorld } from './world.js';
import { runWriter } from './writer.js';

export interface CrashOptions {
  seed: number;
  kills: number;
  /** Acknowledged writes there must be at the end; the writers go on until then, without kills. */
  writes: number;
  writers: number;
  /** Acknowledged writes before the first kill. Until then no read may be stale. */
  steadyWrites: number;
  replicas: number;
  /** Whether change requests are written, too. */
  changeRequests: boolean;
  /** Longest pause between two kills, in ms. */
  pauseMs: number;
  /** Longest time the writers go on after the last kill, in ms. */
  patienceMs: number;
  say: (text: string) => void;
}

export interface CrashResult {
  /** What must not be. Empty when all is well. */
  found: string[];
  counts: Record<string, number>;
}

/** Kills processes of the product under concurrent writers and compares what is left with what was promised. */
export async function runCrash(options: CrashOptions, cleanup: Cleanup): Promise<CrashResult> {
  const { seed, kills, writes, say } = options;
  const findings = new Findings();
  const random = createRandom(seed);
  say(`SEED=${seed}: starting ${options.replicas} replicas of each service, a gateway and the servers`);
  const world = await createWorld({ replicas: options.replicas }, findings, cleanup);
  const memories = await foundMemories(world, options.writers);
  const caller = createCaller(world.endpoints, world.token, options.writers, findings);
  cleanup.add(() => caller.close());
  let stopped = false;
  let steady = true;
  cleanup.add(() => {
    stopped = true;
  });
  say(`${options.writers} writers, ${kills} kills`);
  const writing = Promise.all(
    memories.map((memory, index) =>
      runWriter({
        memory,
        caller,
        findings,
        random: createRandom(seed + 1 + index),
        stopped: () => stopped,
        steady: () => steady,
        changeRequests: options.changeRequests,
      }),
    ),
  );
  const organizations = [...new Set(memories.map(({ organization }) => organization))];
  const revoking = Promise.all(
    organizations.map((organization, index) =>
      runRevoker({
        world,
        owner: caller,
        organization,
        name: `revoked-${index}`,
        findings,
        random: createRandom(seed - 1 - index),
        stopped: () => stopped,
        steady: () => steady,
      }),
    ),
  );
  const began = performance.now();
  await enough(options.steadyWrites, findings, options.patienceMs);
  const calm = performance.now() - began;
  say(`${findings.of('writes done')} writes in ${Math.round(calm / 1000)} s; now come the kills`);
  steady = false;
  await killAtRandom(world, random, findings, options);
  await enough(writes, findings, options.patienceMs);
  stopped = true;
  await Promise.all([writing, revoking]);
  findings.count('seconds of writing', Math.round((performance.now() - began) / 1000));
  say('comparing what is there with what was promised');
  await verify(world, memories, caller, findings);
  await acceptInvitations(world, memories, findings);
  return { found: findings.found, counts: findings.counts };
}

async function enough(writes: number, findings: Findings, patienceMs: number): Promise<void> {
  const end = performance.now() + patienceMs;
  while (findings.of('writes done') < writes && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (findings.of('writes done') < writes)
    findings.report(`Only ${findings.of('writes done')} writes were acknowledged, not ${writes}`);
}
