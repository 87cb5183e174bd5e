import { sendOnce, timeEach } from '../load/one-at-a-time.js';
import { openLoop } from '../load/open-loop.js';
import { percentile } from '../load/statistics.js';
import { residentBytes } from '../processes/memory.js';
import type { Product } from '../product/product.js';
import { inTurns, numbersTo, type Seed } from '../product/seed.js';
import { createSpace } from './library.js';
import type { Context, Figure, Scenario } from './scenario.js';
import { createWriter, queryOf, textOf } from './searched-text.js';

const name = 'search-organization';
const [spaceCount, pagesOfSpace] = [200, 100];
const ratePerSecond = 10;
const goalMs = 100;
const warmUp = 20;
const mostTries = 20;
const megabyte = 1024 * 1024;

/** Searches of everything that an organization has, at a fixed rate. */
export const organizationSearch: Scenario = {
  name,
  summary: `Search ${spaceCount} spaces of ${pagesOfSpace} pages each, ${ratePerSecond} times a second`,
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const next = createWriter();
    await fill(seed, next);
    const pathOf = (number: number) =>
      `/v1/orgs/${seed.organization}/search?limit=10&query=${encodeURIComponent(queryOf(number, next))}`;
    const before = residentBytes(product.pidOf('services'));
    const first = await firstAnswer(product, pathOf(0));
    await timeEach(
      product,
      numbersTo(warmUp).map((number) => ({ method: 'GET', path: pathOf(number) })),
    );
    const times = await timesAtRate(product, pathOf, context.options.seconds * context.options.rounds);
    const p95 = percentile(times, 0.95);
    const grown = (residentBytes(product.pidOf('services')) - before) / megabyte;
    const note = `${times.length} requests; p50 ${Math.round(percentile(times, 0.5))} ms, slowest ${Math.round(Math.max(...times))} ms`;
    return [
      { scenario: name, what: 'p95', value: p95, unit: 'ms', goal: `<= ${goalMs}`, met: p95 <= goalMs, note },
      { scenario: name, what: 'the first search, which reads all pages', value: first / 1_000, unit: 's' },
      { scenario: name, what: 'what the services take more than before it', value: grown, unit: 'MB' },
    ];
  },
};

/** Each space has words of its own beside those that all have. */
async function fill(seed: Seed, next: () => string): Promise<void> {
  await inTurns(numbersTo(spaceCount), (space) =>
    createSpace(seed, `Space ${space}`, pagesOfSpace, () => `${textOf(next)}only${space}\n`),
  );
}

/**
 * How long it takes until the first search is answered, ms. Requests that time out are sent again, as their work is
 * kept.
 */
async function firstAnswer(product: Product, path: string): Promise<number> {
  const began = performance.now();
  for (let tries = 1; ; tries += 1) {
    const { ok, status } = await sendOnce(product, { method: 'GET', path });
    if (ok) return performance.now() - began;
    if (tries === mostTries) throw new Error(`The first search was answered with ${status}`);
  }
}

async function timesAtRate(product: Product, pathOf: (number: number) => string, seconds: number): Promise<number[]> {
  const times: number[] = [];
  await openLoop(ratePerSecond, seconds, async (index, due) => {
    const { ok, status } = await sendOnce(product, { method: 'GET', path: pathOf(index) });
    if (!ok) throw new Error(`A search was answered with ${status}`);
    times.push(performance.now() - due);
  });
  return times;
}
