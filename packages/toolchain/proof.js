/** Whether long proofs run in full length, as `npm run proof` does. `npm test` runs a short form of them. */
export const inFull = process.env['PROOF'] === 'full';

/** A size of a long proof: kills, rounds, commands, milliseconds. */
export const sized = (short, full) => (inFull ? full : short);
