import { setTimeout as delay } from 'node:timers/promises';
import type { LoadRequest } from '../load/model.js';
import { sendOnce } from '../load/one-at-a-time.js';
import { median } from '../load/statistics.js';
import { waitFor } from '../processes/wait-for.js';
import { getTeams, renameTeams } from './requests.js';
import type { Context, Figure, Scenario } from './scenario.js';

const scenario = 'recovery';
const goalMs = 3_000;
const givenUpMs = 60_000;
/** A process that has run as long is started again at once; one that ends earlier waits longer each time. */
const steadyMs = 12_000;
const everyMs = 10;

/** From the kill of the process of all services to their first answers. One replica; its supervisor starts it again. */
export const recovery: Scenario = {
  name: scenario,
  summary: 'First answers after the services were killed',
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const [get] = getTeams(seed);
    const [patch] = renameTeams(seed, 'after a kill');
    if (get === undefined || patch === undefined) throw new Error('no team to read');
    const works = async (request: LoadRequest): Promise<boolean> =>
      (await sendOnce(product, request).catch(() => undefined))?.ok === true;
    const times = { read: [] as number[], write: [] as number[] };
    for (let round = 0; round < context.options.rounds; round += 1) {
      await delay(steadyMs);
      const killed = product.pidOf('services');
      const began = performance.now();
      process.kill(killed, 'SIGKILL');
      await waitFor('the process to be gone', () => !isAlive(killed), givenUpMs, 1);
      const since = () => performance.now() - began;
      await Promise.all([
        waitFor('a read', () => works(get), givenUpMs, everyMs).then(() => times.read.push(since())),
        waitFor('a write', () => works(patch), givenUpMs, everyMs).then(() => times.write.push(since())),
      ]);
    }
    const [read, write] = [median(times.read), median(times.write)];
    return [
      { scenario, what: 'first read', value: read, unit: 'ms', goal: `<= ${goalMs}`, met: read <= goalMs },
      { scenario, what: 'first write', value: write, unit: 'ms' },
    ];
  },
};

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
