import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { nameOfText, type Json } from '@scriptorium/tree';
import { generateNKeysBetween } from 'fractional-indexing';
import {
  contentTree,
  createDraft,
  type ContentObjects,
  findPages,
  keys,
  putPages,
  slugOf,
  type Page,
} from '../../versions/index.js';
import type { ComputedPage } from './computed-page.js';
import { computedIn, type RootPlace } from './computed-in.queries.js';
import { dependsOnSpecs, readSource, sourceOf, type Source } from './dependencies.queries.js';
import type { expandSource } from './expand.task.js';

const expandTask = workerTask<typeof expandSource>({
  name: 'expand_computed_pages',
  module: compiledModule('./expand.task.js', import.meta.url),
  run: 'expandSource',
  withinMs: 30_000,
  tooCostly: () => new AppError('too_large', [], { message: 'The source takes too long to be read' }),
});
const waitMs = 60_000;

/** Content with the pages that are computed for it. */
export interface ExpandedRoot {
  /** The root of its tree; that of the revision when nothing is computed. */
  root: string;
  /** What the computed pages depend on, as far as it may change without the revision. */
  seeds: readonly string[];
  /** Whether some of it comes from specifications of the organization, which change without the revision. */
  isFromSpecs: boolean;
}

/** An expanded tree, with the names of all objects that were made for it. */
interface Kept {
  root: string;
  made: readonly string[];
}

/** The pages of one source, without their texts. */
export type Expansion = readonly (Omit<ComputedPage, 'document'> & { document: string })[];

/**
 * The tree of a revision with the pages that its computed pages stand for. It reads as the tree of any revision does,
 * so that search, links and reads need not know what is computed. It is kept in memory as long as there is room, and
 * made again when it is needed.
 * @throws AppError `unavailable` when a source cannot be read now
 */
export async function expandRoot(
  scope: Pick<Scope, 'store' | 'workers'>,
  objects: ContentObjects,
  place: RootPlace & { organization: string },
): Promise<ExpandedRoot> {
  const ids = await computedIn(objects, place);
  if (ids.size === 0) return { root: place.root, seeds: [], isFromSpecs: false };
  const { organization, pool, root } = place;
  const tree = contentTree(objects, pool, root);
  const pages = [...(await findPages(tree, [...ids].sort())).values()];
  const found = await Promise.all(
    pages.map(async (page) => ({ page, source: await sourceOf(scope, { organization, tree }, page) })),
  );
  const sources = found.flatMap(({ source }) => source ?? []);
  const seeds = found.flatMap(({ page, source }) => source?.seed ?? (dependsOnSpecs(page) ? `without ${page.id}` : []));
  const isFromSpecs = pages.some(dependsOnSpecs);
  if (sources.length === 0) return { root, seeds, isFromSpecs };
  const name = `expanded ${pool} ${root} ${hashOf(seeds)}`;
  const known = keptAs(objects, pool, name);
  if (known !== undefined) return { root: known.root, seeds, isFromSpecs };
  // Whoever asks for the same meanwhile waits for it.
  const made = await objects.alone.run(
    name,
    async () => keptAs(objects, pool, name) ?? (await expand(scope, objects, { pool, root, name }, sources)),
  );
  return { root: made.root, seeds, isFromSpecs };
}

function keptAs(objects: ContentObjects, pool: string, name: string): Kept | undefined {
  const kept = objects.derived.get(name) as Kept | undefined;
  return kept !== undefined && objects.hasMade(pool, kept.made) ? kept : undefined;
}

async function expand(
  scope: Pick<Scope, 'workers'>,
  objects: ContentObjects,
  { pool, root, name }: { pool: string; root: string; name: string },
  sources: readonly Source[],
): Promise<Kept> {
  const draft = createDraft(objects, pool, root);
  const documents = new Set<string>();
  let isWhole = true;
  for (const source of sources) {
    const { page, seed } = source;
    const { id, ...record } = page;
    draft.put(keys.page(id), { ...record, seed } as Json);
    const expansion = await expansionOf(scope, objects, pool, source);
    isWhole &&= expansion !== undefined;
    for (const { document } of expansion ?? []) documents.add(document);
    await putPages(draft, pagesOf(source, expansion ?? []));
  }
  const written = await draft.written();
  objects.keepMade(pool, written.texts);
  const made = [...documents, ...written.texts.map((one) => one.name)];
  const kept = { root: written.root, made };
  if (isWhole) objects.derived.set(name, kept, { size: 5 + made.length });
  return kept;
}

/**
 * The pages of a source, kept by its seed. One that cannot be read has none; `undefined` when something that it is made
 * of is lost, until it is made again.
 */
export async function expansionOf(
  scope: Pick<Scope, 'workers'>,
  objects: ContentObjects,
  pool: string,
  source: Source,
): Promise<Expansion | undefined> {
  const name = `computed ${pool} by ${source.seed}`;
  const known = objects.derived.get(name) as Expansion | undefined;
  const texts = known?.map(({ document }) => document);
  if (known !== undefined && texts !== undefined && objects.hasMade(pool, texts)) return known;
  const input = await readSource(objects, pool, source);
  if (input === 'lost') return undefined;
  const pages = (input === 'too_large' ? null : await expandInWorker(scope, input)) ?? [];
  objects.keepMade(
    pool,
    pages.map(({ document }) => document),
  );
  const expansion = pages.map(({ document, ...page }) => ({ ...page, document: document.name }));
  objects.derived.set(name, expansion, { size: 5 + 5 * expansion.length });
  return expansion;
}

/** The pages of a source; `null` when it cannot be read, or takes too long. */
async function expandInWorker(
  { workers }: Pick<Scope, 'workers'>,
  input: Parameters<typeof expandSource>[0],
): Promise<ComputedPage[] | null> {
  try {
    return await workers.run(expandTask, input, { deadline: Date.now() + waitMs });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'too_large') return null;
    throw error;
  }
}

/**
 * The pages of a source as they stand in a tree. Their ids follow from that of the computed page and what they show.
 */
export function pagesOf({ page, seed }: Source, expansion: Expansion): Page[] {
  const orders = generateNKeysBetween(null, null, expansion.length);
  const idOf = (key: string): string => hashOf([page.id, key]);
  return expansion.map(({ key, title, parent, computed, document }, index) => ({
    id: idOf(key),
    type: 'document',
    title,
    slug: slugOf(title),
    parent: parent === undefined ? page.id : idOf(parent),
    order: orders[index] ?? '',
    document,
    computed,
    seed,
    ...(page.noIndex === undefined ? {} : { noIndex: page.noIndex }),
    ...(page.noRobotsIndex === undefined ? {} : { noRobotsIndex: page.noRobotsIndex }),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
  }));
}

/** A name of 24 letters and digits. */
export function hashOf(parts: readonly string[]): string {
  return nameOfText(JSON.stringify(parts)).slice(0, 24);
}
