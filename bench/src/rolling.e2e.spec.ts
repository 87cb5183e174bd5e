import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { runRolling } from './crash/run-rolling.js';
import { Cleanup } from './processes/cleanup.js';

jest.setTimeout(240_000);

const cleanup = new Cleanup();
afterAll(() => cleanup.run());

describe('two gateways and two replicas, of which one is killed and one rolled all the time', () => {
  it('fail no read, lose nothing and do nothing twice', async () => {
    const seed = Number(process.env['SEED']);
    const { found, counts } = await runRolling(
      { seed, seconds: sized(4, 10), everyMs: sized(1_500, 2_000), writers: 10, readers: 5, say: () => undefined },
      cleanup,
    );
    expect({ seed, found }).toEqual({ seed, found: [] });
    expect([counts['kills'], counts['rolls']]).toEqual([expect.any(Number), expect.any(Number)]);
  });
});
