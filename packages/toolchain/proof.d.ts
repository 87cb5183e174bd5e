/** Whether long proofs run in full length, as `npm run proof` does. `npm test` runs a short form of them. */
export const inFull: boolean;

/** A size of a long proof: kills, rounds, commands, milliseconds. */
export function sized<T>(short: T, full: T): T;
