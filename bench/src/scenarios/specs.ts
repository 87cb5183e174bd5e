import { readFile } from 'node:fs/promises';
import { compile } from '@scriptorium/openapi';
import { dump } from 'js-yaml';
import { timeEach } from '../load/one-at-a-time.js';
import { median, percentile } from '../load/statistics.js';
import { cpuMsOf } from '../product/cpu.js';
import type { Product } from '../product/product.js';
import { numbersTo, type Seed } from '../product/seed.js';
import { changedFigures } from './changed-spec.js';
import { largeSpecification, operationsOfLargestTag, pathOf } from './large-specification.js';
import { createSpace, type FilledSpace } from './library.js';
import { lookMeanwhile } from './meanwhile.js';
import { processed } from './processed-spec.js';
import type { Context, Figure, Scenario } from './scenario.js';
import { unchangedFigures } from './unchanged-url.js';

const name = 'specs';
const goals = { compileSeconds: 5, othersMs: 60, firstReadMs: 800, readMs: 30, blockMs: 15 };
const reads = 50;

/** What large specifications cost: to read them, and to show their operations on pages. */
export const specs: Scenario = {
  name,
  summary: 'A specification of 13 MB as JSON and as YAML (or --document FILE), and pages that show its operations',
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const { document: path } = context.options;
    const given = path === undefined ? undefined : (JSON.parse(await readFile(path, 'utf8')) as { info: object });
    const json = JSON.stringify(given ?? largeSpecification('Large'));
    // As YAML the whole would be larger than a text may be.
    const yaml = dump(given ?? largeSpecification('Large', 0.5));
    // The first one loads what is needed for it.
    await processed(seed, 'warm', { text: JSON.stringify(largeSpecification('Warm', 0.1)) });
    const figures = [
      ...(await compileFigures(product, seed, { form: 'JSON', slug: 'large-json', text: json })),
      ...(await compileFigures(product, seed, { form: 'YAML', slug: 'large-yaml', text: yaml })),
      ...(await unchangedFigures(context, json)),
      ...(await changedFigures(product, seed, (title) =>
        given === undefined ? largeSpecification(title) : { ...given, info: { ...given.info, title } },
      )),
    ];
    return given === undefined ? [...figures, ...(await pageFigures(product, seed))] : figures;
  },
};

async function compileFigures(
  product: Product,
  seed: Seed,
  { form, slug, text }: { form: string; slug: string; text: string },
): Promise<Figure[]> {
  const path = `/v1/orgs/${seed.organization}/spaces?limit=1`;
  const alone = median(await timeEach(product, new Array(reads).fill({ method: 'GET', path })));
  const looking = lookMeanwhile(product, path);
  const [before, began] = [await cpuMsOf(product), performance.now()];
  await processed(seed, slug, { text });
  const [after, wallMs] = [await cpuMsOf(product), performance.now() - began];
  const others = await looking.end();
  const seconds = ((after?.services ?? Number.NaN) - (before?.services ?? Number.NaN)) / 1_000;
  const more = percentile(others, 0.99) - alone;
  const own = await ownSeconds(text);
  return [
    {
      scenario: name,
      what: `${form} of ${(Buffer.byteLength(text) / 1e6).toFixed(1)} MB read, CPU of the services`,
      value: seconds,
      unit: 's',
      goal: `<= ${goals.compileSeconds}`,
      ...(Number.isNaN(seconds) ? {} : { met: seconds <= goals.compileSeconds }),
      note: `${(wallMs / 1_000).toFixed(1)} s in all; compiled alone in the same run: ${own.toFixed(1)} s of CPU`,
    },
    {
      scenario: name,
      what: `p99 of other requests meanwhile (${form})`,
      value: more,
      unit: 'ms more',
      goal: `<= ${goals.othersMs}`,
      met: more <= goals.othersMs,
      note: `${others.length} requests; p50 before: ${alone.toFixed(1)} ms`,
    },
  ];
}

/** CPU of compiling a text without the product around it. */
async function ownSeconds(text: string): Promise<number> {
  const before = process.cpuUsage();
  const { isReadable } = await compile(text);
  const { user, system } = process.cpuUsage(before);
  if (!isReadable) throw new Error('The text cannot be read');
  return (user + system) / 1e6;
}

async function pageFigures(product: Product, seed: Seed): Promise<Figure[]> {
  const block = (operation: number): string =>
    `{% openapi-operation spec="large-json" path="${pathOf(0, operation)}" method="get" %}\n{% endopenapi-operation %}`;
  const texts = [numbersTo(operationsOfLargestTag).map(block).join('\n\n'), block(0)];
  const space = await createSpace(seed, 'API', texts.length, (page) => texts[page] ?? '');
  const [first = 0, ...others] = await timeEach(product, requestsOf(space, 0));
  const single = await timeEach(product, requestsOf(space, 1));
  const figure = (what: string, value: number, goal: number): Figure => ({
    scenario: name,
    what,
    value,
    unit: 'ms',
    goal: `<= ${goal}`,
    met: value <= goal,
  });
  return [
    figure(`first read of a page of ${operationsOfLargestTag} operations`, first, goals.firstReadMs),
    figure('further reads of it, p50', median(others), goals.readMs),
    figure('read of a page with one operation, p50', median(single), goals.blockMs),
  ];
}

function requestsOf({ id, pages }: FilledSpace, page: number) {
  const path = `/v1/spaces/${id}/content/page/${pages[page]}?format=document&evaluated=true&dereferenced=true`;
  return numbersTo(reads).map(() => ({ method: 'GET' as const, path }));
}
