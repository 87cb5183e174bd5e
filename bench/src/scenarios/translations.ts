import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@scriptorium/contracts';
import { percentile } from '../load/statistics.js';
import { startProduct } from '../product/product.js';
import { numbersTo, seed as fill, type Seed } from '../product/seed.js';
import { lookMeanwhile } from './meanwhile.js';
import type { Context, Figure, Scenario } from './scenario.js';

const name = 'translations';
/** Pages for which the goals hold, and the goals in seconds. */
const [goalPages, firstGoal, editGoal] = [1_000, 60, 3];
const othersGoalMs = 150;
const lookEveryMs = 50;
/** Pages that are inserted by one request. */
const inserted = 50;

/** How long runs of a translation take, and how long other requests wait meanwhile. */
export const translations: Scenario = {
  name,
  summary: 'The first run of a translation (--pages) with the provider `copy`, and the run after one edit',
  async run({ cleanup, options: { pages }, say }: Context): Promise<Figure[]> {
    const product = await startProduct(cleanup, { TRANSLATION_PROVIDER: 'copy', TRANSLATION_WAIT_SECONDS: '0' });
    const seed = await fill(product, { members: 1, teams: 0 });
    const { client, organization } = seed;
    const { id: space } = await client.createSpace({
      params: { organizationId: organization },
      body: { title: 'Source', editMode: 'live', empty: true },
    });
    for (const first of numbersTo(Math.ceil(pages / inserted))) await insert(client, space, first * inserted, pages);
    say(`${name}: ${pages} pages`);
    const looking = lookMeanwhile(product, `/v1/orgs/${organization}/spaces?limit=1`);
    const first = await timed(seed, 1, async () => {
      const body = { language: 'de' as const, source: { space } };
      return (await client.createTranslation({ params: { organizationId: organization }, body })).id;
    });
    const others = await looking.end();
    const edit = await timed(seed, 2, async () => {
      const { pages: shown } = await client.listPages({ params: { spaceId: space } });
      const document = { markdown: 'A sentence that nobody has read before.\n' };
      const change = { operation: 'update_page' as const, page: shown[0]?.id ?? '', document };
      await client.changeSpaceContent({ params: { spaceId: space }, body: { changes: [change] } });
      return first.id;
    });
    await product.stop();
    const slow = percentile(others, 0.99);
    const isMet = (value: number, goal: number) =>
      pages <= goalPages ? { goal: `<= ${goal}`, met: value <= goal } : {};
    return [
      {
        ...{ scenario: name, what: `first run of ${pages} pages`, value: first.seconds, unit: 's' },
        ...isMet(first.seconds, firstGoal),
      },
      {
        ...{ scenario: name, what: 'from the edit of a page to its translation', value: edit.seconds, unit: 's' },
        ...isMet(edit.seconds, editGoal),
      },
      {
        ...{ scenario: name, what: 'p99 of other requests meanwhile', value: slow, unit: 'ms' },
        ...{ goal: `<= ${othersGoalMs}`, met: slow <= othersGoalMs, note: `${others.length} requests` },
      },
    ];
  },
};

async function insert(client: Client, space: string, from: number, pages: number): Promise<void> {
  const changes = numbersTo(Math.min(inserted, pages - from)).map((n) => ({
    operation: 'insert_page' as const,
    title: `Page ${from + n}`,
    document: { markdown: textOf(from + n) },
  }));
  await client.changeSpaceContent({ params: { spaceId: space }, body: { changes } });
}

function textOf(page: number): string {
  const sentence = (n: number) => `Sentence ${n} of page ${page} says what a **reader** finds with \`get ${n}\`.\n`;
  return [`# Page ${page}\n`, ...numbersTo(8).map(sentence), '## Details\n', sentence(9)].join('\n');
}

/** How long it takes until so many runs are done. */
async function timed(
  { client, organization }: Seed,
  runs: number,
  begin: () => Promise<string>,
): Promise<{ id: string; seconds: number }> {
  const began = performance.now();
  const id = await begin();
  for (;;) {
    const shown = await client.getTranslation({ params: { organizationId: organization, translationId: id } });
    if (shown.lastError !== undefined) throw new Error(shown.lastError.message);
    if (shown.stats.runs >= runs) return { id, seconds: (performance.now() - began) / 1_000 };
    await pause(lookEveryMs);
  }
}
