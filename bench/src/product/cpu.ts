import { readFile } from 'node:fs/promises';
import type { Product } from './product.js';

/** Linux counts CPU time in ticks of 10 ms. */
const msPerTick = 10;

/**
 * CPU that the processes of an installation have used so far, in ms of all their threads together. `undefined` where the system
 * has no `/proc`.
 */
export async function cpuMsOf({ pidOf }: Pick<Product, 'pidOf'>): Promise<number | undefined> {
  const pids = (['servers', 'services', 'gateway'] as const).map(pidOf);
  const used = await Promise.all(pids.map((pid) => cpuMsOfProcess(pid).catch(() => Number.NaN)));
  const sum = used.reduce((all, ms) => all + ms, 0);
  return Number.isNaN(sum) ? undefined : sum;
}

async function cpuMsOfProcess(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the process, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
