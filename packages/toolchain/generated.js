import fc from 'fast-check';
import { sized } from './proof.js';

const numberFrom = (name, otherwise) => {
  const text = process.env[name];
  return text === undefined || text === '' ? otherwise : Number.parseInt(text, 10);
};

export const SEED = numberFrom('SEED', 1);

export const runs = (usual) => numberFrom('FUZZ_RUNS', sized(Math.ceil(usual / 3), usual));

export const parameters = (usual) => ({ seed: SEED, numRuns: runs(usual) });

fc.configureGlobal({ seed: SEED });
