import fc from 'fast-check';

const seed = Number(process.env['SEED'] ?? 1);

fc.configureGlobal({ seed });

/** Parameters of a property test: the same inputs in every run with the same SEED. */
export const parameters = (numRuns: number) => ({ seed, numRuns });
