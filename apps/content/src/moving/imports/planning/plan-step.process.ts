import { AppError, importBounds } from '@scriptorium/contracts';
import { compiledModule, derivedId, workerTask, type Scope } from '@scriptorium/platform';
import {
  contentTree,
  type ContentObjects,
  type ContentTree,
  chainOf,
  findPage,
  idIn,
  keys,
  type Page,
} from '../../../versions/index.js';
import { partKey, type Range } from '../entry.js';
import { addItems } from '../import-items.operational.js';
import { changeImport, type ImportDocument, type SourceFile } from '../imports.operational.js';
import type { Item, PlannedItem } from '../item.js';
import { presentIn } from './present-content.process.js';
import { nothingPresent } from './present.js';
import { type planImport, type PlanInput, type PlanOutput } from './plan-import.task.js';
import { readParts } from '../archive/read-parts.process.js';
import { requirePages, tooLarge, unfit } from '../refusal.js';

const planTask = workerTask<typeof planImport>({
  name: 'plan_import',
  module: compiledModule('./plan-import.task.js', import.meta.url),
  run: 'planImport',
  withinMs: 8_000,
  tooCostly: () => new AppError('too_large', [], { message: 'What is imported takes too long to be listed' }),
});

type Plan = Extract<PlanOutput, { items: unknown }>;

/** Bytes that are read from the end of an archive at first: more than its last record can have. */
const endBytes = 128 * 1024;
/** How often a plan can ask for more: for the table of contents, then the settings, then what they name, then pages. */
const mostRounds = 8;

/**
 * Plans an import, and stores what it is going to make. Safe to repeat.
 * @returns the number of pages
 * @throws AppError `content_change_invalid`, `too_large` and `limit_reached`, naming the file
 */
export async function planStep(
  scope: Scope,
  objects: ContentObjects,
  { about, pool, root, deadline }: { about: ImportDocument; pool: string; root: string; deadline: number },
): Promise<number> {
  const tree = contentTree(objects, pool, root);
  const around = await surroundings(tree, about);
  const plan = await planned(scope, objects, { sources: about.sources ?? [], around, deadline });
  requirePages(about, plan.pages);
  for (const text of plan.items) {
    const items = JSON.parse(text) as PlannedItem[];
    await addItems(
      scope,
      about._id,
      items.map((item) => withIdOf(about._id, item)),
    );
  }
  const { variables, warnings, moreWarnings } = plan;
  await changeImport(scope, about._id, { variables, warnings, moreWarnings });
  return plan.pages;
}

/** An item without an id gets one that is made of its place, so that every attempt gives it the same. */
function withIdOf(importId: string, item: PlannedItem): Item {
  return { ...item, id: item.id ?? derivedId(importId, item.kind, String(item.n)) };
}

type Surroundings = Pick<PlanInput, 'taken' | 'present' | 'isInPage' | 'depth' | 'isCount'>;

async function surroundings(tree: ContentTree, { mode, target }: ImportDocument): Promise<Surroundings> {
  const page = target.page === undefined ? undefined : await requireTarget(tree, target.page);
  const depth = page === undefined ? 0 : (await chainOf(tree, page)).length;
  const present = mode === 'replace' ? await presentIn(tree) : nothingPresent;
  const taken = mode === 'replace' ? [] : await idsIn(tree);
  return { taken: JSON.stringify(taken), present: JSON.stringify(present), isInPage: page !== undefined, depth };
}

/** @throws AppError `not_found` when the page is gone */
async function requireTarget(tree: ContentTree, id: string): Promise<Page> {
  const page = await findPage(tree, id);
  if (page === undefined || page.type === 'link' || page.type === 'computed')
    throw new AppError('not_found', [], { message: 'The page to import into is not there any more' });
  return page;
}

async function idsIn(tree: ContentTree): Promise<string[]> {
  const prefixes = [keys.pages, keys.files, keys.reusableContents];
  const entries = await Promise.all(prefixes.map((prefix) => tree.range(prefix)));
  return entries.flat().map(([key]) => idIn(key));
}

/**
 * Refuses, before an import is begun, uploads without a page that would replace the content. What is wrong with them
 * otherwise, the import tells. @throws AppError `import_empty`
 */
export async function refuseEmpty(
  scope: Pick<Scope, 'workers' | 'limits'>,
  objects: ContentObjects,
  about: Pick<ImportDocument, 'mode' | 'allowEmpty'> & { sources: readonly SourceFile[]; deadline: number },
): Promise<void> {
  if (about.mode !== 'replace' || about.allowEmpty === true) return;
  const around = { taken: '[]', present: JSON.stringify(nothingPresent), isInPage: false, depth: 0, isCount: true };
  // What cannot be read is told by the run, with its warnings.
  const plan = await planned(scope, objects, { ...about, around }).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (plan !== undefined) requirePages(about, plan.pages);
}

async function planned(
  { workers, limits }: Pick<Scope, 'workers' | 'limits'>,
  { files }: ContentObjects,
  { sources, around, deadline }: { sources: readonly SourceFile[]; around: Surroundings; deadline: number },
): Promise<Plan> {
  const ends = new Map<number, Range>(
    sources.flatMap(({ isArchive, size }, archive) =>
      isArchive ? [[archive, { archive, start: Math.max(0, size - endBytes), end: size }]] : [],
    ),
  );
  const wanted: Range[] = [];
  for (let round = 0; round < mostRounds; round += 1) {
    const endParts = await readParts(files, sources, [...ends.values()]);
    const read = new Map([...ends.keys()].map((archive, index) => [archive, endParts[index] ?? new Uint8Array()]));
    const parts = await readParts(files, sources, wanted);
    const input: PlanInput = {
      ...around,
      limits,
      sources: sources.map((source, archive) => sourceOf(source, archive, read.get(archive))),
      parts: Object.fromEntries(wanted.map((range, at) => [partKey(range), parts[at] ?? new Uint8Array()])),
    };
    const plan = await workers.run(planTask, input, { deadline });
    if ('items' in plan) return plan;
    for (const range of plan.needs) {
      const isEnd = ends.has(range.archive) && range.end === sources[range.archive]?.size;
      if (isEnd) ends.set(range.archive, withinBounds(range, sources));
      else wanted.push(range);
    }
  }
  throw unfit(sources[0]?.name ?? '', 'Its table of contents cannot be read');
}

function sourceOf({ name, size }: SourceFile, archive: number, end: Uint8Array | undefined) {
  return end === undefined ? { archive, name, size } : { archive, name, size, end };
}

function withinBounds(range: Range, sources: readonly SourceFile[]): Range {
  if (range.end - range.start <= importBounds.directoryBytes) return range;
  throw tooLarge(sources[range.archive]?.name ?? '', 'Its table of contents is too long');
}
