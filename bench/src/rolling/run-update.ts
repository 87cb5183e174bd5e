import { createCaller } from '../crash/caller.js';
import { startCrew } from '../crash/crew.js';
import { Findings } from '../crash/findings.js';
import { foundMemories } from '../crash/found.js';
import type { Managed } from '../crash/managed-process.js';
import type { CrashResult } from '../crash/run.js';
import { verify } from '../crash/verify.js';
import { createWorld, type World } from '../crash/world.js';
import type { Cleanup } from '../processes/cleanup.js';
import { startBalancer, type Balancer } from './balancer.js';

export interface UpdateOptions {
  seed: number;
  /** How often every process is restarted. */
  rounds: number;
  replicas: number;
  writers: number;
  readers: number;
  say: (text: string) => void;
}

const readyMs = 60_000;

/**
 * Restarts every process of the product, one after the other as an update does it, behind HAProxy and under load. No
 * request may fail, nothing may be lost, and nothing may happen twice.
 */
export async function runUpdate(options: UpdateOptions, cleanup: Cleanup): Promise<CrashResult> {
  const { seed, replicas, writers, readers, say } = options;
  const findings = new Findings();
  say(`SEED=${seed}: starting two gateways behind HAProxy, ${replicas} replicas of each service and the servers`);
  const world = await createWorld({ replicas, gateways: 2 }, findings, cleanup);
  const balancer = await startBalancer(world.endpoints, cleanup);
  const memories = await foundMemories(world, writers);
  const caller = createCaller([balancer.endpoint], world.token, writers + readers, findings);
  cleanup.add(() => caller.close());
  const end = startCrew({ memories, readers, caller, findings, seed, steady: true }, cleanup);
  await updateAll(world, balancer, findings, options);
  await end();
  reportFailures(findings);
  say('comparing what is there with what was promised');
  await verify(world, memories, caller, findings);
  return { found: findings.found, counts: findings.counts };
}

async function updateAll(
  world: World,
  balancer: Balancer,
  findings: Findings,
  { rounds, say }: UpdateOptions,
): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    for (const replica of world.replicas) await update(replica);
    for (const [index, gateway] of world.gateways.entries()) {
      await balancer.leave(index);
      await update(gateway);
      await balancer.join(index);
    }
    say(`round ${round}: ${findings.of('writes done')} writes and ${findings.of('reads done')} reads were answered`);
  }

  async function update(process: Managed): Promise<void> {
    await process.stop();
    process.start();
    await process.untilReady(readyMs);
    await world.untilWell(process, readyMs);
    findings.count('restarts');
  }
}

/** Clients of the soak go on after an answer 503 or none at all; here there may be no such answer. */
function reportFailures(findings: Findings): void {
  for (const [what, count] of Object.entries(findings.counts))
    if (/^(no answer|answers 5|unavailable)/.test(what)) findings.report(`${count} requests failed: ${what}`);
}
