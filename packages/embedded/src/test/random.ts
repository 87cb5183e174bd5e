/** The seed of this run: `SEED` in the environment. */
export function seedOfRun(what: string): number {
  const seed = Number(process.env['SEED']);
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
