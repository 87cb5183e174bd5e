/** The seed of this run's generated inputs; it stands in the names of the tests. Repeat a run with SEED=<seed>. */
export const SEED: number;

/** How many generated inputs a test takes: a third of `usual`, unless proofs run in full; FUZZ_RUNS overrides it. */
export function runs(usual: number): number;

/** Parameters of a property test of fast-check: the same inputs in every run with the same SEED. */
export function parameters(usual: number): { seed: number; numRuns: number };
