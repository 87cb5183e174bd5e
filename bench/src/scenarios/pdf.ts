import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../load/statistics.js';
import type { Seed } from '../product/seed.js';
import { lookMeanwhile } from './meanwhile.js';
import type { Context, Figure, Scenario } from './scenario.js';

const name = 'pdf';
/** Pages of each space, and how long their PDF may take, s. */
const sizes = [
  { pages: 2, goal: 1.5 },
  { pages: 28, goal: 2 },
  { pages: 390, goal: 10 },
] as const;
const againGoalMs = 50;
const othersGoalMs = 60;
const atOnce = 20;
const equal = 10;

/** How long PDFs take, and how long other requests wait meanwhile. */
export const pdf: Scenario = {
  name,
  summary: 'PDFs of 3, 30 and 400 sheets, the first time and again, and ten equal requests',
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const figures: Figure[] = [];
    const path = `/v1/orgs/${seed.organization}/spaces?limit=1`;
    const quiet = lookMeanwhile(product, path);
    await pause(2_000);
    const before = percentile(await quiet.end(), 0.99);
    const during: number[] = [];
    for (const { pages, goal } of sizes) {
      const spaceId = await spaceOf(seed, pages);
      const { url } = await seed.client.getSpacePdf({ params: { spaceId }, query: {} });
      const looking = lookMeanwhile(product, path);
      const first = await timed(() => fetched(url));
      during.push(...(await looking.end()));
      const again = await timed(() => fetched(url));
      const what = `PDF of ${pages} pages`;
      const size = `${first.bytes} bytes`;
      figures.push(figure(`${what}, the first time`, first.ms / 1_000, { unit: 's', goal, note: size }));
      if (pages < atOnce) figures.push(figure(`${what}, again`, again.ms, { unit: 'ms', goal: againGoalMs }));
    }
    const more = percentile(during, 0.99) - before;
    figures.push(figure('p99 of other requests meanwhile, more than before', more, { unit: 'ms', goal: othersGoalMs }));
    const spaceId = await spaceOf(seed, 3);
    const { url } = await seed.client.getSpacePdf({ params: { spaceId }, query: {} });
    const all = await timed(async () => (await Promise.all(Array.from({ length: equal }, () => fetched(url))))[0] ?? 0);
    figures.push(figure(`${equal} equal requests at once`, all.ms / 1_000, { unit: 's', goal: sizes[0].goal }));
    return figures;
  },
};

function figure(what: string, value: number, { goal, ...more }: { unit: string; goal: number; note?: string }): Figure {
  return { scenario: name, what, value, goal: `<= ${goal}`, met: value <= goal, ...more };
}

async function timed(work: () => Promise<number>): Promise<{ ms: number; bytes: number }> {
  const began = performance.now();
  const bytes = await work();
  return { ms: performance.now() - began, bytes };
}

/** The bytes at an address; it is asked again while the PDF is being made. */
async function fetched(url: string): Promise<number> {
  for (;;) {
    const answer = await fetch(url);
    const { byteLength } = await answer.arrayBuffer();
    if (answer.ok) return byteLength;
    const again = Number(answer.headers.get('retry-after') ?? Number.NaN);
    if (answer.status !== 503 || !(again <= 10)) throw new Error(`The PDF was answered with ${answer.status}`);
    await pause(again * 1_000);
  }
}

const sentence = 'What it says is written down here in some words that fill a line, and then another one. ';
const paragraph = sentence.repeat(6);

/** A space of so many pages, each of about a sheet. */
async function spaceOf({ client, organization }: Seed, pages: number): Promise<string> {
  const body = { title: `Printed ${pages}`, editMode: 'live', empty: true } as const;
  const { id: spaceId } = await client.createSpace({ params: { organizationId: organization }, body });
  for (let start = 0; start < pages; start += atOnce) {
    const count = Math.min(atOnce, pages - start);
    const changes = Array.from({ length: count }, (_, index) => ({
      operation: 'insert_page' as const,
      title: `Page ${start + index + 1}`,
      document: { markdown: pageOf(start + index) },
    }));
    await client.changeSpaceContent({ params: { spaceId }, body: { changes } });
  }
  return spaceId;
}

function pageOf(index: number): string {
  const code = `\`\`\`js\nconst a = ${index};\n\`\`\``;
  const table = '| Name | What it is |\n| - | - |\n| one | the first |\n| two | the second |';
  return `## Part one\n\n${paragraph}\n\n- one\n- two\n\n${code}\n\n${table}\n\n## Part two\n\n${paragraph}\n\n${paragraph}\n`;
}
