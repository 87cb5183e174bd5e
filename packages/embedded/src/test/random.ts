/** The seed of this run: `SEED` in the environment repeats an earlier one. */
export function seedOfRun(what: string): number {
  const given = Number(process.env['SEED']);
  const seed = Number.isSafeInteger(given) && given > 0 ? given : 1 + Math.floor(Math.random() * 2_000_000_000);
  process.stdout.write(`${what}: SEED=${String(seed)}\n`);
  return seed;
}

/** Whole numbers from 0 below `limit`, the same ones for the same seed. */
export function randomFrom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
