import { sized } from '@scriptorium/toolchain/proof';
import fc from 'fast-check';

const numberFrom = (name: string, otherwise: number): number => {
  const text = process.env[name];
  return text === undefined || text === '' ? otherwise : Number.parseInt(text, 10);
};

/** The seed of this run's generated inputs; it stands in the names of the tests. Repeat a run with SEED=<seed>. */
export const SEED = numberFrom('SEED', 1);

/** How many generated inputs a test takes: a third of them, unless proofs run in full; FUZZ_RUNS overrides it. */
export const runs = (usual: number): number => numberFrom('FUZZ_RUNS', sized(Math.ceil(usual / 3), usual));

fc.configureGlobal({ seed: SEED });
