import { performance } from 'node:perf_hooks';
import { median, percentile } from '../load/statistics.js';
import type { LoadRequest } from '../load/model.js';
import { inTurns, numbersTo, type Seed } from '../product/seed.js';
import { createSpace } from './library.js';
import { throughputScenario, type Line } from './line.js';
import type { Context, Figure, Scenario } from './scenario.js';

const [pageCount, pageBytes] = [50, 2_048];
const siteSpaceCount = 200;
const timedPages = 200;

interface BenchSite {
  id: string;
  space: string;
  pages: readonly string[];
  /** The address of the site as the API knows it. */
  address: string;
}

/** A published site with one space of pages of 2 KB. */
async function createSite({ client, organization }: Seed, title: string): Promise<BenchSite> {
  const { id: space, pages } = await createSpace(
    { client, organization, members: [], teams: [] },
    title,
    pageCount,
    pageBytes,
  );
  const params = { organizationId: organization };
  const { id } = await client.createSite({ params, body: { title, spaces: [space] } });
  const { urls } = await client.publishSite({ params: { ...params, siteId: id } });
  return { id, space, pages, address: urls.published ?? '' };
}

const schema = {
  type: 'object',
  properties: { unsigned: { type: 'object', properties: { beta: { type: 'boolean' } } } },
};

const lines: readonly Line[] = [
  {
    name: 'resolve-site',
    summary: 'POST /urls/published of a page',
    goal: 0.6,
    perConnection: false,
    sameSize: true,
    async prepare(seed) {
      const { address } = await createSite(seed, 'Resolved');
      const body = JSON.stringify({ url: `${address}page-1` });
      return () => [{ method: 'POST', path: '/v1/urls/published', body }];
    },
  },
  {
    name: 'site-structure',
    summary: `GET the structure of a site with ${siteSpaceCount} spaces`,
    goal: 0.4,
    perConnection: false,
    sameSize: true,
    async prepare({ client, organization }) {
      const params = { organizationId: organization };
      const spaces = await inTurns(numbersTo(siteSpaceCount), async (index) => {
        const { id } = await client.createSpace({ params, body: { title: `On a site ${index}`, empty: true } });
        return id;
      });
      const { id: siteId } = await client.createSite({ params, body: { title: 'Large', spaces: spaces.slice(0, 50) } });
      for (const spaceId of spaces.slice(50))
        await client.addSpaceToSite({ params: { ...params, siteId }, body: { spaceId } });
      return () => [{ method: 'GET', path: `/v1/orgs/${organization}/sites/${siteId}/structure` }];
    },
  },
  {
    name: 'visitor-page',
    summary: 'GET a page of 2 KB with its document, by a visitor with claims',
    goal: 0.6,
    perConnection: false,
    sameSize: true,
    async prepare(seed) {
      const { client, organization } = seed;
      const { id: siteId, space, pages, address } = await createSite(seed, 'Visited');
      const params = { organizationId: organization, siteId };
      await client.updateSiteById({ params, body: { adaptiveContent: { enabled: true } } });
      await client.updateSiteAdaptiveSchema({ params, body: { jsonSchema: schema } });
      const found = await client.resolvePublishedContentByUrl({ body: { url: `${address}?visitor.beta=true` } });
      const authorization = `Bearer ${'apiToken' in found ? found.apiToken : ''}`;
      return () =>
        pages.map((page): LoadRequest => ({
          method: 'GET',
          path: `/v1/spaces/${space}/content/page/${page}?format=document`,
          headers: { Authorization: authorization },
        }));
    },
  },
];

/** What visitors of sites ask for. */
export const sitesThroughput: readonly Scenario[] = lines.map(throughputScenario);

/** What somebody waits for who opens a page of a site that the reader shows, once it has been opened before. */
export const readerPage: Scenario = {
  name: 'reader-page',
  summary: 'A page of 2 KB of a site, as the reader shows it, one after the other',
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const { id } = await createSite(seed, 'Read');
    const address = `${product.servers.CONTENT_ORIGIN}/~site/${id}/`;
    const times: number[] = [];
    for (const index of numbersTo(timedPages + pageCount)) {
      const began = performance.now();
      const response = await fetch(`${address}page-${index % pageCount}`);
      await response.text();
      if (!response.ok) throw new Error(`${address} answered ${response.status}`);
      // The first round makes the reader and the services know the pages.
      if (index >= pageCount) times.push(performance.now() - began);
    }
    const [typical, slow] = [median(times), percentile(times, 0.99)];
    const scenario = 'reader-page';
    return [
      { scenario, what: 'a page, median', value: typical, unit: 'ms', goal: '<= 100', met: typical <= 100 },
      { scenario, what: 'a page, p99', value: slow, unit: 'ms' },
    ];
  },
};
