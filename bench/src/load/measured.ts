import { cpuMsOf, type Cpu } from '../product/cpu.js';
import type { ProcessName, Product } from '../product/product.js';
import { runLoad } from './load.js';
import type { Load, LoadResult } from './model.js';

/** What a load did, and what it cost. */
export interface MeasuredLoad extends LoadResult {
  /** CPU of all processes of the product for one request, in ms; NaN where the system does not tell. */
  cpuMs: number;
  /** The same of each process; `undefined` where the system does not tell. */
  cpu: Cpu | undefined;
}

/** Runs a load against the product, and counts the CPU that its processes use meanwhile. */
export async function measuredLoad(product: Product, load: Omit<Load, 'endpoint' | 'token'>): Promise<MeasuredLoad> {
  const { endpoint, token } = product;
  const before = await cpuMsOf(product);
  const result = await runLoad({ ...load, endpoint, token });
  const after = await cpuMsOf(product);
  if (before === undefined || after === undefined) return { ...result, cpuMs: Number.NaN, cpu: undefined };
  const each = (name: ProcessName): number => (after[name] - before[name]) / (result.rate * load.seconds);
  const cpu = { gateway: each('gateway'), services: each('services'), servers: each('servers') };
  return { ...result, cpuMs: cpu.gateway + cpu.services + cpu.servers, cpu };
}

const [sliceSeconds, fewestSlices, mostSlices, steadyWithin] = [3, 2, 8, 0.05];

/**
 * Runs a load until the CPU for a request no longer falls: code is optimised while it runs, for 10 to 20 s. Without
 * figures of the CPU it takes as long as it may.
 */
export async function warmUp(product: Product, load: Omit<Load, 'endpoint' | 'token' | 'seconds'>): Promise<void> {
  let last = Infinity;
  for (let slice = 1; slice <= mostSlices; slice += 1) {
    const { cpuMs } = await measuredLoad(product, { ...load, seconds: sliceSeconds });
    if (Number.isNaN(cpuMs)) continue;
    if (slice > fewestSlices && cpuMs > last * (1 - steadyWithin)) return;
    last = Math.min(last, cpuMs);
  }
}
