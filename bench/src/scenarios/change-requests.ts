import type { LoadRequest } from '../load/model.js';
import { timeEach } from '../load/one-at-a-time.js';
import { median, percentile } from '../load/statistics.js';
import { inTurns, numbersTo, type Seed } from '../product/seed.js';
import { createSpace, createSpaces, textOf, type FilledSpace } from './library.js';
import { throughputScenario } from './line.js';
import type { Context, Figure, Scenario } from './scenario.js';

const [spaceCount, perSpace] = [100, 100];
const pageBytes = 1024;
const [pageCount, merges, uncounted] = [1_000, 60, 20];
const mergeGoalMs = 150;

const listed: Scenario = throughputScenario({
  name: 'list-change-requests',
  summary: `GET a list of 50 change requests of an organization with ${spaceCount * perSpace}`,
  goal: 0.45,
  perConnection: false,
  sameSize: true,
  async prepare(seed) {
    const spaces = await createSpaces(seed, spaceCount, pageBytes);
    for (const round of numbersTo(perSpace))
      await inTurns(spaces, ({ id }) =>
        seed.client.createChangeRequest({
          params: { spaceId: id },
          body: { subject: `Change ${round} of what readers look for` },
        }),
      );
    return () => [{ method: 'GET', path: `/v1/orgs/${seed.organization}/change-requests?status=draft&limit=50` }];
  },
});

/** Merges of change requests that were made before the first of them: each meets a main content that has changed. */
const merged: Scenario = {
  name: 'merge-change-request',
  summary: `Merge changes of one page, one after another, into a space of ${pageCount} pages`,
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const space = await createSpace(seed, 'Merged into', pageCount, pageBytes);
    const requests = await inTurns(numbersTo(uncounted + merges), (number) => mergeOf(seed, space, number));
    const times = (await timeEach(product, requests)).slice(uncounted);
    const [p50, p95] = [median(times), percentile(times, 0.95)];
    return [
      {
        scenario: merged.name,
        what: `merge of a one-page change into ${pageCount} pages, p95`,
        value: p95,
        unit: 'ms',
        goal: `<= ${mergeGoalMs}`,
        met: p95 <= mergeGoalMs,
        note: `median ${p50.toFixed(1)} ms`,
      },
    ];
  },
};

/** Makes a change request that writes one page; the request that merges it. */
async function mergeOf({ client }: Seed, space: FilledSpace, number: number): Promise<LoadRequest> {
  const { id } = await client.createChangeRequest({ params: { spaceId: space.id }, body: { subject: `${number}` } });
  await client.changeContentInChangeRequest({
    params: { spaceId: space.id, changeRequestId: id },
    body: {
      changes: [
        {
          operation: 'update_page',
          page: space.pages[number] ?? '',
          document: { markdown: textOf(pageBytes, `merged ${number}`) },
        },
      ],
    },
  });
  return { method: 'POST', path: `/v1/spaces/${space.id}/change-requests/${id}/merge` };
}

/** Lists and merges of change requests. */
export const changeRequests: readonly Scenario[] = [listed, merged];
