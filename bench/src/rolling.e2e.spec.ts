import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { inFull } from '@scriptorium/toolchain/proof';
import { runRolling } from './crash/run-rolling.js';
import { Cleanup } from './processes/cleanup.js';

jest.setTimeout(240_000);

const cleanup = new Cleanup();
afterAll(() => cleanup.run());

// Crashes are short enough for `npm test`, and rolls take long to begin.
const long = inFull ? describe : describe.skip;

long('two gateways and two replicas, of which one is killed and one rolled all the time', () => {
  it('fail no read, lose nothing and do nothing twice', async () => {
    const seed = Number(process.env['SEED']);
    const { found, counts } = await runRolling(
      { seed, seconds: 10, everyMs: 2_000, writers: 10, readers: 5, say: () => undefined },
      cleanup,
    );
    expect({ seed, found }).toEqual({ seed, found: [] });
    expect([counts['kills'], counts['rolls']]).toEqual([expect.any(Number), expect.any(Number)]);
  });
});
