import { setTimeout as pause } from 'node:timers/promises';
import { sendOnce } from '../load/one-at-a-time.js';
import { percentile } from '../load/statistics.js';
import type { Product } from '../product/product.js';
import { inTurns, numbersTo, type Seed } from '../product/seed.js';
import { lookMeanwhile } from './meanwhile.js';
import type { Context, Figure, Scenario } from './scenario.js';

const name = 'transfer';
/** With the collection as many as are transferred at once. */
const spaceCount = 4_999;
const goalSeconds = 10;
const delayGoalMs = 150;
const lookEveryMs = 100;
const settledWithinMs = 600_000;

/** How long the largest transfer takes, and how long other requests wait meanwhile. */
export const transfers: Scenario = {
  name,
  summary: `Transfer of a collection of ${spaceCount} spaces to another organization`,
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const { client } = seed;
    const { id: collectionId } = await client.createCollection({
      params: { organizationId: seed.organization },
      body: { title: 'Transferred' },
    });
    await fill(seed, collectionId);
    const { id: to } = await client.createOrganization({ body: { title: 'Other' } });
    const looking = lookMeanwhile(product, `/v1/orgs/${to}/spaces?limit=1`);
    const began = performance.now();
    await client.transferCollection({ params: { collectionId }, body: { organization: to } });
    const answered = (performance.now() - began) / 1_000;
    await settled(product);
    const whole = (performance.now() - began) / 1_000;
    const delays = await looking.end();
    const p99 = percentile(delays, 0.99);
    return [
      {
        scenario: name,
        what: 'answered',
        value: answered,
        unit: 's',
        goal: `<= ${goalSeconds}`,
        met: answered <= goalSeconds,
      },
      { scenario: name, what: 'all streams have followed', value: whole, unit: 's' },
      {
        scenario: name,
        what: 'p99 of other requests meanwhile',
        value: p99,
        unit: 'ms',
        goal: `<= ${delayGoalMs}`,
        met: p99 <= delayGoalMs,
        note: `${delays.length} requests, slowest ${Math.round(Math.max(...delays))} ms`,
      },
    ];
  },
};

async function fill({ client, organization }: Seed, parent: string): Promise<void> {
  const params = { organizationId: organization };
  await inTurns(numbersTo(spaceCount), (index) =>
    client.createSpace({ params, body: { title: `Space ${index}`, parent, empty: true } }),
  );
}

/** Waits until no run is open. */
async function settled(product: Product): Promise<void> {
  const end = performance.now() + settledWithinMs;
  for (;;) {
    const { body } = await sendOnce(product, {
      method: 'GET',
      path: '/v1/operator/content/runs?open=true&kind=transfer',
    });
    const { count } = JSON.parse(body.toString()) as { count: number };
    if (count === 0) return;
    if (performance.now() > end) throw new Error('The transfer has not come to its end');
    await pause(lookEveryMs);
  }
}
