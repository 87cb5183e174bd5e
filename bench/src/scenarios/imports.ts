import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import type { Client } from '@scriptorium/contracts';
import yazl from 'yazl';
import { sendOnce } from '../load/one-at-a-time.js';
import { percentile } from '../load/statistics.js';
import type { Product } from '../product/product.js';
import { numbersTo, type Seed } from '../product/seed.js';
import { lookMeanwhile } from './meanwhile.js';
import type { Context, Figure, Scenario } from './scenario.js';

const name = 'imports';
/** Seconds that 500 pages may take. */
const goalSeconds = 30;
const goalPages = 500;
const delayGoalMs = 100;
const othersGoalMs = 150;
const lookEveryMs = 100;
const [pagesOfGroup, images, includes] = [25, 20, 10];

type ImportRun = Awaited<ReturnType<Client['getImportRun']>>;

/** How long imports and exports take, and how long other requests wait meanwhile. */
export const imports: Scenario = {
  name,
  summary: 'Import of pages with links, images, tables and includes (--pages), their export, and a hostile archive',
  async run(context: Context): Promise<Figure[]> {
    const { say } = context;
    const { pages } = context.options;
    const { product, seed } = await context.product();
    const archive = await zipOf(filesOf(pages));
    say(`${name}: ${pages} pages, ${archive.length} bytes`);
    const looking = lookMeanwhile(product, `/v1/orgs/${seed.organization}/spaces?limit=1`);
    const made = await timedImport(seed, archive);
    const others = await looking.end();
    const { status, failure, report } = made.done;
    if (status !== 'completed') throw new Error(`The import ${status}: ${failure?.message ?? ''}`);
    const unresolved = (report?.warnings.length ?? 0) + (report?.moreWarnings ?? 0);
    const exported = await timedExport(seed, made.space);
    const delays = await delaysDuring(product, seed, await zipOf(hostileFiles()));
    const goal = pages <= goalPages ? { goal: `<= ${goalSeconds}`, met: made.seconds <= goalSeconds } : {};
    return [
      { scenario: name, what: `import of ${pages} pages`, value: made.seconds, unit: 's', ...goal },
      {
        scenario: name,
        what: 'p99 of other requests meanwhile',
        value: percentile(others, 0.99),
        unit: 'ms',
        goal: `<= ${othersGoalMs}`,
        met: percentile(others, 0.99) <= othersGoalMs,
        note: `${others.length} requests`,
      },
      {
        scenario: name,
        what: 'what could not be resolved',
        value: unresolved,
        unit: 'links',
        goal: '0',
        met: unresolved === 0,
      },
      {
        scenario: name,
        what: `export of ${pages} pages`,
        value: exported.seconds,
        unit: 's',
        note: `${exported.bytes} bytes`,
      },
      {
        scenario: name,
        what: 'the slowest other request while a hostile archive is read',
        value: Math.max(...delays.during) - percentile(delays.before, 0.5),
        unit: 'ms more',
        goal: `<= ${delayGoalMs}`,
        met: Math.max(...delays.during) - percentile(delays.before, 0.5) <= delayGoalMs,
        note: `${delays.outcome}; ${delays.during.length} requests, p99 ${percentile(delays.during, 0.99).toFixed(1)} ms; before: p50 ${percentile(delays.before, 0.5).toFixed(1)} ms, slowest ${Math.max(...delays.before).toFixed(1)} ms`,
      },
    ];
  },
};

/** Generated pages: the same in every run. */
function filesOf(pages: number): Map<string, string | Buffer> {
  const files = new Map<string, string | Buffer>();
  const lines = ['# Table of contents', ''];
  for (const page of numbersTo(pages)) {
    const group = Math.floor(page / pagesOfGroup);
    if (page % pagesOfGroup === 0) lines.push('', `## Group ${group}`, '');
    lines.push(`* [Page ${page}](${pathOf(page)})`);
    files.set(pathOf(page), textOf(page, pages));
  }
  files.set('SUMMARY.md', `${lines.join('\n')}\n`);
  for (const image of numbersTo(images)) files.set(`.gitbook/assets/image-${image}.png`, png(image));
  for (const include of numbersTo(includes))
    files.set(`.gitbook/includes/note-${include}.md`, `Note **${include}**, which several pages show.\n`);
  return files;
}

function pathOf(page: number): string {
  return `group-${Math.floor(page / pagesOfGroup)}/page-${page}.md`;
}

function textOf(page: number, pages: number): string {
  const other = (step: number) => `../${pathOf((page + step) % pages)}`;
  return [
    `---\ndescription: About number ${page}\n---\n`,
    `# Page ${page}\n`,
    `See [the next one](${other(1)}), [another one](${other(7)}#details) and [far away](${other(111)}).\n`,
    `![Picture](../.gitbook/assets/image-${page % images}.png)\n`,
    '## Details\n',
    `| Name | Value |\n| ---- | ----- |\n${numbersTo(8)
      .map((row) => `| row ${row} | \`${page * row}\` |`)
      .join('\n')}\n`,
    `{% include "../.gitbook/includes/note-${page % includes}.md" %}\n`,
    '{% hint style="info" %}\nA hint with **strong** words.\n{% endhint %}\n',
    `${'Readers look for one thing at a time, and leave when they have found it. '.repeat(12)}\n`,
  ].join('\n');
}

/** Bytes that begin as a picture does, each of its own. */
function png(image: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex');
  return Buffer.concat([head, Buffer.alloc(20_000, image)]);
}

/** Pages that cost as much as pages may, and more names than anybody has. */
function hostileFiles(): Map<string, string | Buffer> {
  const files = new Map<string, string | Buffer>();
  const costly = [
    '* one [two](x.md) **three** ',
    '> > > * `a` _b_ ',
    '| a | b | c |\n| - | - | - |\n',
    '<table><tr><td>',
    '{% hint %}\n',
  ];
  for (const page of numbersTo(40)) {
    const line = `${costly[page % costly.length] ?? ''}${page}\n`;
    files.set(`costly-${page}.md`, line.repeat(Math.floor(300_000 / line.length)));
  }
  for (const file of numbersTo(15_000)) files.set(`names/${'a'.repeat(200)}/${file}.txt`, 'x');
  // Numbers, so that it is not refused because it packs too well.
  const unknown = numbersTo(1_500_000).map((number) => (number * 7_919) % 1_000_003);
  files.set('.scriptorium/content.json', `{"format":1,"pages":${JSON.stringify(unknown)}}`);
  return files;
}

async function zipOf(files: ReadonlyMap<string, string | Buffer>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, bytes] of files) zip.addBuffer(Buffer.from(bytes), path);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

async function begin({ client, organization }: Seed, archive: Buffer): Promise<{ space: string; importId: string }> {
  const params = { organizationId: organization };
  const { id: space } = await client.createSpace({
    params,
    body: { title: 'Imported', editMode: 'live', empty: true },
  });
  const file = { name: 'archive.zip', type: 'application/zip', size: archive.length };
  const { url, key } = await client.uploadStorage({ params, body: { file, kind: 'import_file' } });
  const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(archive) });
  if (!answer.ok) throw new Error(`The upload was answered with ${answer.status}`);
  const body = { source: { type: 'file' as const, files: [key] }, target: { space } };
  return { space, importId: (await client.startImportRun({ params, body })).id };
}

async function ended({ client, organization }: Seed, importId: string): Promise<ImportRun> {
  const params = { organizationId: organization };
  for (;;) {
    const { items } = await client.listImportRuns({ params, query: { status: 'active', limit: 100 } });
    if (!items.some(({ id }) => id === importId)) return client.getImportRun({ params: { ...params, importId } });
    await pause(lookEveryMs);
  }
}

async function timedImport(seed: Seed, archive: Buffer) {
  const began = performance.now();
  const { space, importId } = await begin(seed, archive);
  const done = await ended(seed, importId);
  return { space, done, seconds: (performance.now() - began) / 1_000 };
}

async function timedExport({ client }: Seed, spaceId: string): Promise<{ seconds: number; bytes: number }> {
  const began = performance.now();
  const { url } = await client.exportSpace({ params: { spaceId } });
  const { byteLength } = await (await fetch(url)).arrayBuffer();
  return { seconds: (performance.now() - began) / 1_000, bytes: byteLength };
}

/** How long a small request takes, one after the other, before and while an archive is read, in ms. */
async function delaysDuring(
  product: Product,
  seed: Seed,
  archive: Buffer,
): Promise<{ before: number[]; during: number[]; outcome: string }> {
  const look = async (until: () => boolean): Promise<number[]> => {
    const times: number[] = [];
    while (!until()) {
      const began = performance.now();
      await sendOnce(product, { method: 'GET', path: `/v1/orgs/${seed.organization}/spaces?limit=1` });
      times.push(performance.now() - began);
    }
    return times;
  };
  const from = performance.now();
  await look(() => performance.now() - from > 1_000);
  const before = await look(() => performance.now() - from > 4_000);
  const { importId } = await begin(seed, archive);
  let isOver = false;
  const end = ended(seed, importId).finally(() => (isOver = true));
  const during = await look(() => isOver);
  const { status, failure } = await end;
  return { before, during, outcome: failure?.message ?? status };
}
