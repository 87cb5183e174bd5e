import { measuredLoad, warmUp } from '../load/measured.js';
import type { LoadRequest } from '../load/model.js';
import { timeEach } from '../load/one-at-a-time.js';
import { median, percentile } from '../load/statistics.js';
import type { Product } from '../product/product.js';
import type { Seed } from '../product/seed.js';
import { createSpace, createSpaces, textOf, type FilledSpace } from './library.js';
import { throughputScenario, type Line } from './line.js';
import type { Context, Figure, Scenario } from './scenario.js';

const spaceCount = 50;
const [pageBytes, editBytes] = [2048, 1024];
const large = 10_000;
const timedReads = 30;
const fillSeconds = 10;

/** Replaces the text of the first page of a space. */
export function editOf({ id, pages: [page] }: FilledSpace, run: string): LoadRequest {
  return {
    method: 'POST',
    path: `/v1/spaces/${id}/content`,
    body: JSON.stringify({
      changes: [{ operation: 'update_page', page, document: { markdown: textOf(editBytes, `${run} {n}`) } }],
    }),
  };
}

export const contentLines: readonly Line[] = [
  {
    name: 'get-page',
    summary: 'GET a page of 2 KB with its document',
    goal: 0.8,
    perConnection: false,
    sameSize: true,
    async prepare(seed) {
      const { id, pages } = await createSpace(seed, 'Pages that are read', 50, pageBytes);
      return () =>
        pages.map((page) => ({ method: 'GET', path: `/v1/spaces/${id}/content/page/${page}?format=document` }));
    },
  },
  {
    name: 'list-spaces',
    summary: 'GET a list of 50 spaces',
    goal: 0.45,
    perConnection: false,
    sameSize: true,
    async prepare(seed) {
      await createSpaces(seed, spaceCount, pageBytes);
      return () => [{ method: 'GET', path: `/v1/orgs/${seed.organization}/spaces?limit=50` }];
    },
  },
  {
    name: 'edit-pages',
    summary: 'Live edit of 1 KB of markdown over 50 spaces: durable, and read by its writer',
    goal: 0.2,
    perConnection: true,
    sameSize: true,
    async prepare(seed) {
      const spaces = await createSpaces(seed, spaceCount, editBytes);
      return (run) => spaces.map((space) => editOf(space, run));
    },
  },
];

/** Reads and writes of content. */
export const contentThroughput: readonly Scenario[] = contentLines.map(throughputScenario);

/** Edits of one space by many writers at once, and what reading costs when a space is large or has a long history. */
export const largeSpace: Scenario = {
  name: 'large-space',
  summary: 'Edits over one space; reads of 10,000 pages, and of a history of 10,000 revisions',
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    return [...(await historyFigures(context, product, seed)), ...(await pagesFigures(context, product, seed))];
  },
};

async function historyFigures({ options, profiler, say }: Context, product: Product, seed: Seed): Promise<Figure[]> {
  const scenario = largeSpace.name;
  const space = await createSpace(seed, 'Of a long history', 1, editBytes);
  const load = { connections: options.connections, perConnection: false };
  const writes = () => [editOf(space, `h${Date.now()}`)];
  await warmUp(product, { ...load, requests: writes() });
  const measure = () => measuredLoad(product, { ...load, seconds: options.seconds, requests: writes() });
  const { rate, failures, cpuMs } = await measure();
  say(`${scenario}: ${rate.toFixed(0)} edits/s, ${cpuMs.toFixed(1)} ms CPU each`);
  await profiler?.during(product, scenario, measure);
  const params = { spaceId: space.id };
  for (;;) {
    const { count } = await seed.client.listRevisions({ params, query: { limit: 0 } });
    say(`${scenario}: ${count} revisions`);
    if (count >= large) break;
    await measuredLoad(product, { ...load, seconds: fillSeconds, requests: writes() });
  }
  const first = await timesOfReads(product, `/v1/spaces/${space.id}/revisions?limit=50`);
  return [
    {
      scenario,
      what: 'edits over one space',
      value: rate,
      unit: 'requests/s',
      goal: '>= 150',
      met: rate >= 150,
      ...(failures === 0 ? {} : { note: `${failures} failed` }),
    },
    { scenario, what: 'CPU of all processes for an edit over one space', value: cpuMs, unit: 'ms' },
    timed(`list of 50 revisions of ${large}`, first, 20),
  ];
}

async function pagesFigures({ say }: Context, product: Product, seed: Seed): Promise<Figure[]> {
  const space = await createSpace(seed, 'Of many pages', large, editBytes);
  say(`${largeSpace.name}: ${space.pages.length} pages`);
  const revision = await timesOfReads(product, `/v1/spaces/${space.id}/content?metadata=false`);
  const small = await createSpace(seed, 'Of few pages', 10, editBytes);
  const [ofFew, ofMany] = [await timesOfEdits(product, small), await timesOfEdits(product, space)];
  const within = 0.5;
  return [
    timed(`GET a revision of ${large} pages without metadata, warm`, revision, 150),
    { scenario: largeSpace.name, what: 'an edit in a space of 10 pages', value: median(ofFew), unit: 'ms' },
    {
      scenario: largeSpace.name,
      what: `an edit in a space of ${large} pages`,
      value: median(ofMany),
      unit: 'ms',
      goal: `within ${100 * within} % of 10 pages`,
      met: median(ofMany) <= median(ofFew) * (1 + within),
    },
  ];
}

function timed(what: string, times: readonly number[], goalMs: number): Figure {
  const p50 = median(times);
  return {
    scenario: largeSpace.name,
    what,
    value: p50,
    unit: 'ms',
    goal: `<= ${goalMs}`,
    met: p50 <= goalMs,
    note: `p95 ${percentile(times, 0.95).toFixed(1)} ms`,
  };
}

/** How long a request takes in each of its forms, in ms. The first third is not counted. */
async function timesOf(product: Product, requestOf: (index: number) => LoadRequest): Promise<number[]> {
  const uncounted = timedReads / 2;
  const requests = Array.from({ length: uncounted + timedReads }, (_, index) => requestOf(index));
  return (await timeEach(product, requests)).slice(uncounted);
}

function timesOfReads(product: Product, path: string): Promise<number[]> {
  return timesOf(product, () => ({ method: 'GET', path }));
}

function timesOfEdits(product: Product, space: FilledSpace): Promise<number[]> {
  return timesOf(product, (index) => editOf(space, `t${index}`));
}
