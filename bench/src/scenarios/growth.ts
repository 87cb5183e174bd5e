import { measuredLoad, warmUp } from '../load/measured.js';
import { runLoad } from '../load/load.js';
import type { LoadRequest } from '../load/model.js';
import { timeEach } from '../load/one-at-a-time.js';
import { median } from '../load/statistics.js';
import type { Product } from '../product/product.js';
import type { Seed } from '../product/seed.js';
import { createTeams, listTeams } from './requests.js';
import type { Context, Figure, Scenario } from './scenario.js';

const name = 'growth';
const sizes = [100, 5_000, 20_000] as const;
const fillSeconds = 5;
const searches = 50;
const searchGoalMs = 10;
const flatWithin = 0.25;

/** What creating, listing and searching cost in one organization as it grows. */
export const growth: Scenario = {
  name,
  summary: 'Creating, listing and searching teams at 100, 5,000 and 20,000 of them',
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const { connections, seconds } = context.options;
    const load = { connections, perConnection: false };
    await warmUp(product, { ...load, requests: createTeams(seed, `warm${Date.now()}`) });
    const rows: Row[] = [];
    for (const size of sizes) {
      const teams = await fill(product, seed, size, connections);
      context.say(`${name}: ${teams} teams`);
      await warmUp(product, { ...load, requests: listTeams(seed) });
      const list = await measuredLoad(product, { ...load, seconds, requests: listTeams(seed) });
      const search = await searchMs(product, seed);
      const create = await measuredLoad(product, { ...load, seconds, requests: createTeams(seed, `g${Date.now()}`) });
      rows.push({ size, search, list: list.cpuMs, create: create.cpuMs });
    }
    return rows.flatMap((row) => figuresOf(row, rows[0]));
  },
};

interface Row {
  size: number;
  /** Median of one search at a time, in ms. */
  search: number;
  /** CPU for a request, in ms. */
  list: number;
  create: number;
}

function figuresOf(row: Row, first: Row | undefined): Figure[] {
  const flat = (value: number, least: number | undefined): Partial<Figure> =>
    least === undefined || row === first
      ? {}
      : { goal: `within ${100 * flatWithin} % of ${sizes[0]}`, met: value <= least * (1 + flatWithin) };
  const at = `at ${row.size} teams`;
  return [
    {
      scenario: name,
      what: `CPU for a create ${at}`,
      value: row.create,
      unit: 'ms',
      ...flat(row.create, first?.create),
    },
    { scenario: name, what: `CPU for a list of 50 ${at}`, value: row.list, unit: 'ms', ...flat(row.list, first?.list) },
    {
      scenario: name,
      what: `?title= ${at}`,
      value: row.search,
      unit: 'ms',
      goal: `<= ${searchGoalMs}`,
      met: row.search <= searchGoalMs,
    },
  ];
}

/** Creates teams until there are so many; returns how many there are. */
async function fill(product: Product, seed: Seed, size: number, connections: number): Promise<number> {
  const { endpoint, token } = product;
  for (;;) {
    const { count } = await seed.client.listTeamsInOrganizationById({
      params: { organizationId: seed.organization },
      query: { limit: 0 },
    });
    if (count >= size) return count;
    const requests = createTeams(seed, `f${Date.now()}`);
    await runLoad({ endpoint, token, requests, perConnection: false, connections, seconds: fillSeconds });
  }
}

/** One search after another for titles that few teams have. */
async function searchMs(product: Product, { organization, teams }: Seed): Promise<number> {
  const requests = Array.from({ length: searches }, (_, index): LoadRequest => {
    const title = encodeURIComponent(`Team ${index % teams.length}`);
    return { method: 'GET', path: `/v1/orgs/${organization}/teams?title=${title}&limit=5` };
  });
  return median(await timeEach(product, requests));
}
