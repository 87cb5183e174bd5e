import type { Cleanup } from '../processes/cleanup.js';
import { createCaller } from './caller.js';
import { startCrew } from './crew.js';
import { Findings } from './findings.js';
import { foundMemories } from './found.js';
import { rollThrough } from './roller.js';
import type { CrashResult } from './run.js';
import { verify } from './verify.js';
import { createWorld } from './world.js';

export interface RollingOptions {
  seed: number;
  seconds: number;
  /** Between two disturbances, in ms. */
  everyMs: number;
  writers: number;
  readers: number;
  say: (text: string) => void;
}

/**
 * Kills and rolls gateways and replicas of services under load, and compares what is left with what was promised: no
 * read may fail, nothing may have happened twice or be lost.
 */
export async function runRolling(
  { seed, seconds, everyMs, writers, readers, say }: RollingOptions,
  cleanup: Cleanup,
): Promise<CrashResult> {
  const findings = new Findings();
  say(`SEED=${seed}: starting two gateways, two replicas of each service and the servers`);
  const world = await createWorld({ replicas: 2, gateways: 2 }, findings, cleanup);
  const memories = await foundMemories(world, writers);
  const caller = createCaller(world.endpoints, world.token, writers + readers, findings);
  cleanup.add(() => caller.close());
  const end = startCrew({ memories, readers, caller, findings, seed, steady: false }, cleanup);
  say(`${writers} writers and ${readers} readers for ${seconds} s`);
  await rollThrough(world, findings, { everyMs, forMs: seconds * 1000 });
  await end();
  say('comparing what is there with what was promised');
  await verify(world, memories, caller, findings);
  return { found: findings.found, counts: findings.counts };
}
