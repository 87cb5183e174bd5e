import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { runCrash } from './crash/run.js';
import { Cleanup } from './processes/cleanup.js';

jest.setTimeout(600_000);

const cleanup = new Cleanup();
afterAll(() => cleanup.run());

describe('the product under kills', () => {
  it('loses no acknowledged write and rebuilds to the same read models', async () => {
    const seed = Number(process.env['SEED']);
    const said: string[] = [];
    const { found, counts } = await runCrash(
      {
        seed,
        kills: 12,
        steadyWrites: 300,
        writes: 1_000,
        pauseMs: 1_000,
        writers: 50,
        replicas: 2,
        changeRequests: false,
        patienceMs: 60_000,
        say: (text) => void said.push(text),
      },
      cleanup,
    );
    expect({ seed, found }).toEqual({ seed, found: [] });
    expect(counts['kills']).toBe(12);
  });
});
