import { performance } from 'node:perf_hooks';
import { brotliDecompressSync } from 'node:zlib';
import { request } from 'node:http';
import { median } from '../load/statistics.js';
import { numbersTo } from '../product/seed.js';
import { createSpace } from './library.js';
import type { Context, Figure, Scenario } from './scenario.js';

const [pageCount, pageBytes] = [4_000, 2_048];
const [warmUps, timed] = [20, 100];
const searches = ['paragraph', 'readers look', 'paragrahp', 'page 2000'];
const goals = { page: 40_000, firstByte: 50, search: 1_000 };

interface Received {
  status: number;
  bytes: number;
  /** Milliseconds until the headers of the answer were there, and all of it. */
  first: number;
  whole: number;
}

/** Asks for a page as browsers do. */
function open(address: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request(address, { headers: { 'accept-encoding': 'gzip, br' } }, (answer) => {
      const first = performance.now() - began;
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      answer.on('end', () => {
        const body = Buffer.concat(parts);
        const { statusCode: status = 0, headers } = answer;
        if (headers['content-encoding'] !== 'br') reject(new Error(`${address} is not compressed`));
        else if (brotliDecompressSync(body).length === 0) reject(new Error(`${address} is empty`));
        else resolve({ status, bytes: body.length, first, whole: performance.now() - began });
      });
    });
    sent.on('error', reject).end();
  });
}

/** What a page costs, and a search, in a space that is as large as they get. */
export const readerLarge: Scenario = {
  name: 'reader-large',
  summary: `Pages and searches of a site with a space of ${pageCount} pages, as the reader shows them`,
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const { client, organization } = seed;
    const { id: space } = await createSpace({ ...seed, members: [], teams: [] }, 'Large', pageCount, pageBytes);
    const params = { organizationId: organization };
    const { id } = await client.createSite({ params, body: { title: 'Large', spaces: [space] } });
    await client.publishSite({ params: { ...params, siteId: id } });
    const base = `${product.servers.CONTENT_ORIGIN}/~site/${id}/`;
    const pages: Received[] = [];
    for (const index of numbersTo(warmUps + timed)) {
      const page = await open(`${base}page-${(index * 37) % pageCount}`);
      if (index >= warmUps) pages.push(page);
    }
    const found: Received[] = [];
    for (const query of [...searches, ...searches, ...searches])
      found.push(await open(`${base}~search?q=${encodeURIComponent(query)}`));
    return figures(pages, found);
  },
};

function figures(pages: readonly Received[], found: readonly Received[]): Figure[] {
  const scenario = 'reader-large';
  const largest = Math.max(...pages.map(({ bytes }) => bytes)) / 1_000;
  const first = median(pages.map((page) => page.first));
  // Later searches of the same words tell what people wait for; the first one makes the index of the space.
  const slowest = Math.max(...found.slice(searches.length).map(({ whole }) => whole));
  const refused = [...pages, ...found].filter(({ status }) => status !== 200).length;
  const [page, firstByte, search] = [goals.page / 1_000, goals.firstByte, goals.search];
  return [
    {
      scenario,
      what: 'the largest page, compressed',
      value: largest,
      unit: 'KB',
      goal: `<= ${page}`,
      met: largest <= page,
    },
    {
      scenario,
      what: 'first byte, median',
      value: first,
      unit: 'ms',
      goal: `<= ${firstByte}`,
      met: first <= firstByte,
    },
    { scenario, what: 'the slowest search', value: slowest, unit: 'ms', goal: `<= ${search}`, met: slowest <= search },
    { scenario, what: 'answers that were not 200', value: refused, unit: 'of all', goal: '0', met: refused === 0 },
  ];
}
