import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpuMsOf } from '../product/cpu.js';
import { numbersTo } from '../product/seed.js';
import { processed } from './processed-spec.js';
import type { Context, Figure } from './scenario.js';

const goalMs = 50;
/** CPU is counted in ticks of 10 ms: one check alone could not be told from none. */
const checks = 10;
const tag = '"unchanged"';

/** What it costs to ask a URL again whose answer is the same, beside reading it the first time. */
export async function unchangedFigures(context: Context, text: string): Promise<Figure[]> {
  const { product, seed } = await context.product();
  let unchanged = 0;
  const server = createServer((request, response) => {
    if (request.headers['if-none-match'] === tag) {
      unchanged += 1;
      response.writeHead(304).end();
    } else response.writeHead(200, { etag: tag }).end(text);
  });
  context.cleanup.add(() => Promise.resolve(void server.close().closeAllConnections()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/spec.json`;
  const read = () => processed(seed, 'unchanged-url', { url });
  const first = await cpuOf(product, read);
  const again = await cpuOf(product, async () => {
    for (const _ of numbersTo(checks)) await read();
  });
  if (unchanged !== checks) throw new Error(`Of ${checks} checks, ${unchanged} were answered with 304`);
  const each = again / checks;
  return [
    {
      scenario: 'specs',
      what: 'an unchanged URL, CPU of the services',
      value: each,
      unit: 'ms',
      goal: `<= ${goalMs}`,
      ...(Number.isNaN(each) ? {} : { met: each <= goalMs }),
      note: `with the requests around it; the first read of the same URL: ${(first / 1_000).toFixed(1)} s`,
    },
  ];
}

/** CPU of the services while something is done, ms. */
async function cpuOf(product: Parameters<typeof cpuMsOf>[0], work: () => Promise<void>): Promise<number> {
  const before = await cpuMsOf(product);
  await work();
  const after = await cpuMsOf(product);
  return (after?.services ?? Number.NaN) - (before?.services ?? Number.NaN);
}
