import { setTimeout as delay } from 'node:timers/promises';
import { proportionalBytes, residentBytes } from '../processes/memory.js';
import { startProduct } from '../product/product.js';
import { seed } from '../product/seed.js';
import type { Context, Figure, Scenario } from './scenario.js';

const goalMegabytes = 500;
const names = ['servers', 'services', 'gateway'] as const;
const settleMs = 5_000;
const settleAtMost = 12;
const steady = 0.01;
const megabyte = 1024 * 1024;

/** Resident memory of a whole installation that was used a little and then left alone. */
export const memory: Scenario = {
  name: 'memory',
  summary: 'Idle memory of the whole product',
  async run({ cleanup }: Context): Promise<Figure[]> {
    const product = await startProduct(cleanup);
    await seed(product, { members: 20, teams: 5 });
    const pids = {
      supervisor: product.supervisor,
      ...Object.fromEntries(names.map((name) => [name, product.pidOf(name)])),
    };
    await settled(() => sum(Object.values(pids).map(residentBytes)));
    const parts = Object.entries(pids).map(([name, pid]) => ({ name, bytes: residentBytes(pid) }));
    const total = sum(parts.map(({ bytes }) => bytes)) / megabyte;
    const shared = sum(Object.values(pids).map(proportionalBytes)) / megabyte;
    await product.stop();
    return [
      {
        scenario: 'memory',
        what: 'all processes, supervisor included',
        value: total,
        unit: 'MB',
        goal: `<= ${goalMegabytes}`,
        met: total <= goalMegabytes,
      },
      ...parts.map(({ name, bytes }) => ({ scenario: 'memory', what: name, value: bytes / megabyte, unit: 'MB' })),
      { scenario: 'memory', what: 'all, shared pages counted once', value: shared, unit: 'MB' },
    ];
  },
};

/** Waits until a figure changes by less than 1 % within 5 s, a minute at most. */
async function settled(figure: () => number): Promise<void> {
  let last = figure();
  for (let turn = 0; turn < settleAtMost; turn += 1) {
    await delay(settleMs);
    const now = figure();
    if (turn > 0 && Math.abs(now - last) <= last * steady) return;
    last = now;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
