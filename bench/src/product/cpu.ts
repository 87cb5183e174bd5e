import { readFile } from 'node:fs/promises';
import type { ProcessName, Product } from './product.js';

/** Linux counts CPU time in ticks of 10 ms. */
const msPerTick = 10;

/** CPU by process, in ms. */
export type Cpu = Readonly<Record<ProcessName, number>>;

/**
 * CPU that the processes of an installation have used so far, in ms of all their threads together. `undefined` where
 * the system has no `/proc`.
 */
export async function cpuMsOf({ pidOf }: Pick<Product, 'pidOf'>): Promise<Cpu | undefined> {
  try {
    const [gateway, services, servers] = await Promise.all([
      cpuMsOfProcess(pidOf('gateway')),
      cpuMsOfProcess(pidOf('services')),
      cpuMsOfProcess(pidOf('servers')),
    ]);
    return { gateway, services, servers };
  } catch {
    return undefined;
  }
}

/** CPU that a process has used so far, in ms. */
export async function cpuMsOfProcess(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the process, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
