import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { runCrash } from './crash/run.js';
import { Cleanup } from './processes/cleanup.js';

jest.setTimeout(600_000);

const kills = sized(4, 12);
const cleanup = new Cleanup();
afterAll(() => cleanup.run());

describe('the product under kills', () => {
  it('loses no acknowledged write and rebuilds to the same read models', async () => {
    const seed = Number(process.env['SEED']);
    const said: string[] = [];
    const { found, counts } = await runCrash(
      {
        seed,
        kills,
        steadyWrites: sized(100, 300),
        writes: sized(300, 1_000),
        pauseMs: 1_000,
        writers: sized(20, 50),
        replicas: sized(1, 2),
        changeRequests: false,
        patienceMs: 60_000,
        say: (text) => void said.push(text),
      },
      cleanup,
    );
    expect({ seed, found }).toEqual({ seed, found: [] });
    expect(counts['kills']).toBe(kills);
  });
});
