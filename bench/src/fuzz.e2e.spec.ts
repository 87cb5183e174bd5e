import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { fuzz } from './fuzz/run.js';
import { Cleanup } from './processes/cleanup.js';
import { startProduct } from './product/product.js';

jest.setTimeout(180_000);

const cleanup = new Cleanup();
afterAll(() => cleanup.run());

describe('generated requests', () => {
  it('are answered as the served document says, and never with 5xx', async () => {
    const seed = Number(process.env['SEED']);
    const { found, counts } = await fuzz(await startProduct(cleanup), {
      seed,
      requests: sized(450, 1_500),
      atOnce: 8,
      say: () => undefined,
    });
    expect({ seed, found }).toEqual({ seed, found: [] });
    // Most operations are about what is not there for most callers: some of the answers have to be others.
    expect(counts['answers 200']).toBeGreaterThan(sized(5, 50));
  });
});
