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
const [mergeGoalMs, listGoalMs] = [150, 50];

const listName = 'list-change-requests';
const listPath = ({ organization }: Seed): string => `/v1/orgs/${organization}/change-requests?status=draft&limit=50`;

/** The same list again and again, which is kept until something changes, and right after a change. */
const listed: Scenario = {
  name: listName,
  summary: `GET a list of 50 change requests of an organization with ${spaceCount * perSpace}`,
  async run(context: Context): Promise<Figure[]> {
    const changed: LoadRequest[] = [];
    const throughput = throughputScenario({
      ...listed,
      goal: 0.45,
      perConnection: false,
      sameSize: true,
      async prepare(seed) {
        changed.push(...(await fillWithRequests(seed)));
        return () => [{ method: 'GET', path: listPath(seed) }];
      },
    });
    const figures = await throughput.run(context);
    const { product, seed } = await context.product();
    const times: number[] = [];
    for (const change of changed) {
      await timeEach(product, [change]);
      times.push(...(await timeEach(product, [{ method: 'GET', path: listPath(seed) }])));
    }
    return [...figures, timed(listName, 'the list right after a change, p95', times.slice(uncounted), listGoalMs)];
  },
};

/** Change requests in many spaces; requests that change one of each space. */
async function fillWithRequests(seed: Seed): Promise<LoadRequest[]> {
  const spaces = await createSpaces(seed, spaceCount, pageBytes);
  const create = (space: string, number: number) =>
    seed.client.createChangeRequest({
      params: { spaceId: space },
      body: { subject: `Change ${number} of what readers look for` },
    });
  for (const round of numbersTo(perSpace - 1)) await inTurns(spaces, ({ id }) => create(id, round));
  const last = await inTurns(spaces, ({ id }) => create(id, perSpace - 1));
  return last.map(({ id, space }) => ({
    method: 'PATCH',
    path: `/v1/spaces/${space}/change-requests/${id}`,
    body: JSON.stringify({ subject: 'Changed before it was listed' }),
  }));
}

function timed(scenario: string, what: string, times: readonly number[], goalMs: number): Figure {
  const p95 = percentile(times, 0.95);
  const note = `median ${median(times).toFixed(1)} ms`;
  return { scenario, what, value: p95, unit: 'ms', goal: `<= ${goalMs}`, met: p95 <= goalMs, note };
}

/** Merges of change requests that were made before the first of them: each meets a main content that has changed. */
const merged: Scenario = {
  name: 'merge-change-request',
  summary: `Merge changes of one page, one after another, into a space of ${pageCount} pages`,
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const space = await createSpace(seed, 'Merged into', pageCount, pageBytes);
    const requests = await inTurns(numbersTo(uncounted + merges), (number) => mergeOf(seed, space, number));
    const times = (await timeEach(product, requests)).slice(uncounted);
    return [timed(merged.name, `merge of a one-page change into ${pageCount} pages, p95`, times, mergeGoalMs)];
  },
};

/** Makes a change request that writes one page; the request that merges it. */
export async function mergeOf({ client }: Seed, space: FilledSpace, number: number): Promise<LoadRequest> {
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
