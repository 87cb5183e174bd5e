import { setTimeout as delay } from 'node:timers/promises';
import { measuredLoad } from '../load/measured.js';
import { proportionalBytes } from '../processes/memory.js';
import { cpuMsOfProcess } from '../product/cpu.js';
import { startProduct, type Product } from '../product/product.js';
import { seed, type Seed } from '../product/seed.js';
import { contentLines } from './content.js';
import type { Context, Figure, Scenario } from './scenario.js';
import { identityLines } from './throughput.js';

const goals = { idleMegabytes: 500, loadedMegabytes: 900, idleCpu: 3 };
const names = ['servers', 'services', 'gateway', 'reader'] as const;
/** A product counts as idle after this time without a request. By then V8 has given back what requests left. */
const quietMs = 120_000;
const idleMs = 60_000;
const megabyte = 1024 * 1024;
const scenario = 'memory';

type Pids = Readonly<Record<string, number>>;

/**
 * What all processes of an installation with all services need while nothing happens, and after all throughput
 * scenarios: memory, pages that several share divided by how many do, and CPU.
 */
export const memory: Scenario = {
  name: scenario,
  summary: 'Memory and CPU of all processes while idle, and memory after the load of all throughput scenarios',
  async run(context: Context): Promise<Figure[]> {
    const product = await startProduct(context.cleanup, { MAX_TEAMS_PER_ORGANIZATION: '1000000' });
    const pids: Pids = {
      supervisor: product.supervisor,
      ...Object.fromEntries(names.map((name) => [name, product.pidOf(name)])),
    };
    const seeded = await seed(product, { members: 100, teams: 50 });
    await delay(quietMs);
    const idle = memoryFigures('idle', pids, goals.idleMegabytes);
    const cpu = await idleCpu(pids);
    await loadAll(context, product, seeded);
    await delay(quietMs);
    const loaded = memoryFigures('after load', pids, goals.loadedMegabytes);
    await product.stop();
    return [...idle, ...loaded, ...cpu];
  },
};

function memoryOf(pids: Pids): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, proportionalBytes(pid) / megabyte]));
}

function memoryFigures(when: string, pids: Pids, goal: number): Figure[] {
  const parts = memoryOf(pids);
  return figures({ when, unit: 'MB', parts, goal });
}

/** The share of one core that each process takes while nobody asks for anything, in percent. */
async function idleCpu(pids: Pids): Promise<Figure[]> {
  const used = async () => Promise.all(Object.values(pids).map(cpuMsOfProcess));
  const [began, before] = [performance.now(), await used()];
  await delay(idleMs);
  const [after, ms] = [await used(), performance.now() - began];
  const share = (index: number) => (100 * ((after[index] ?? 0) - (before[index] ?? 0))) / ms;
  const parts = Object.fromEntries(Object.keys(pids).map((name, index) => [name, share(index)]));
  return figures({ when: 'idle CPU', unit: '% of a core', parts, goal: goals.idleCpu });
}

function figures(of: { when: string; unit: string; parts: Record<string, number>; goal: number }): Figure[] {
  const { when, unit, parts, goal } = of;
  const value = sum(parts);
  return [
    { scenario, what: `${when}: all processes`, value, unit, goal: `<= ${goal}`, met: value <= goal },
    ...Object.entries(parts).map(([name, part]) => ({ scenario, what: `${when}: ${name}`, value: part, unit })),
  ];
}

async function loadAll({ options, say }: Context, product: Product, seeded: Seed): Promise<void> {
  const { connections, seconds } = options;
  for (const line of [...identityLines, ...contentLines]) {
    const requests = (await line.prepare(seeded))(`m${Date.now()}`);
    const load = { connections, seconds, perConnection: line.perConnection, requests };
    const { rate, failures } = await measuredLoad(product, load);
    say(`${scenario}: ${line.name}, ${Math.round(rate)} requests/s, ${failures} failed`);
  }
}

function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, value) => total + value, 0);
}
