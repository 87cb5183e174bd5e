import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { Json } from '@scriptorium/tree';
import {
  contentTree,
  createDraft,
  type ContentObjects,
  findPages,
  keys,
  putPages,
  type Page,
} from '../../versions/index.js';
import type { ComputedPage, ScriptedComputedPage } from './computed-page.js';
import { computedIn, type RootPlace } from './computed-in.queries.js';
import { dependsOnSpecs, readSource, sourceOf, type Source } from './dependencies.queries.js';
import type { expandSource } from './expand.task.js';
import { hashOf, pagesOf, partlyStaleOf, staleOf, type Expansion } from './place-pages.js';
import {
  pagesOfResult,
  readerWait,
  scriptedExpansionOf,
  type ScriptedExpansion,
  type ScriptWait,
} from './scripted-expansion.process.js';
import { isScripted, type ScriptedPlace } from './scripted-source.queries.js';

/** What pages are made of: a source that is a part of the product, or what a script has computed. */
type AnySource = Source | ScriptedExpansion;

const expandTask = workerTask<typeof expandSource>({
  name: 'expand_computed_pages',
  module: compiledModule('./expand.task.js', import.meta.url),
  run: 'expandSource',
  withinMs: 30_000,
  tooCostly: () => new AppError('too_large', [], { message: 'The source takes too long to be read' }),
});
const workerWaitMs = 60_000;

/** Content with the pages that are computed for it. */
export interface ExpandedRoot {
  /** The root of its tree; that of the revision when nothing is computed. */
  root: string;
  /** What the computed pages depend on, as far as it may change without the revision. */
  seeds: readonly string[];
  /** Whether specifications of the organization, or scripts, make some of it: these change without the revision. */
  isFromOutside: boolean;
}

/** An expanded tree, with the names of all objects that were made for it. */
interface Kept {
  root: string;
  made: readonly string[];
}

/**
 * The tree of a revision with the pages that its computed pages stand for. It reads as the tree of any revision does,
 * so that search, links and reads need not know what is computed. It is kept in memory as long as there is room, and
 * made again when it is needed.
 * @throws AppError `unavailable` when a source cannot be read now
 */
export async function expandRoot(
  scope: Pick<Scope, 'store' | 'workers'>,
  objects: ContentObjects,
  place: RootPlace & Pick<ScriptedPlace, 'organization' | 'branch'>,
  wait: ScriptWait = readerWait,
): Promise<ExpandedRoot> {
  const ids = await computedIn(objects, place);
  if (ids.size === 0) return { root: place.root, seeds: [], isFromOutside: false };
  const { organization, space, branch, pool, root } = place;
  const tree = contentTree(objects, pool, root);
  const pages = [...(await findPages(tree, [...ids].sort())).values()];
  const found = await Promise.all(
    pages.map(async (page) => {
      const source = isFromScript(page)
        ? await scriptedExpansionOf(scope, objects, { organization, space, branch, tree, wait }, page)
        : await sourceOf(scope, { organization, tree }, page);
      return { page, source };
    }),
  );
  const sources = found.flatMap(({ source }) => source ?? []);
  const seeds = found.flatMap(({ page, source }) => seedsOf(page, source));
  const isFromOutside = pages.some(changesByItself);
  if (sources.length === 0) return { root, seeds, isFromOutside };
  const name = `expanded ${pool} ${root} ${hashOf(seeds)}`;
  const known = keptAs(objects, pool, name);
  if (known !== undefined) return { root: known.root, seeds, isFromOutside };
  // Whoever asks for the same meanwhile waits for it.
  const made = await objects.deriving.run(
    name,
    async () => keptAs(objects, pool, name) ?? (await expand(scope, objects, { pool, root, name }, sources)),
  );
  return { root: made.root, seeds, isFromOutside };
}

/** What the pages of a source depend on, as far as it can change without the revision, or be there and not. */
function seedsOf(page: Page, source: AnySource | undefined): string[] {
  if (source === undefined) return changesByItself(page) ? [`without ${page.id}`] : [];
  if (!('result' in source)) return [source.seed];
  return [JSON.stringify([page.id, source.result, source.isStale, source.isPartial])];
}

function changesByItself(page: Page): boolean {
  return isFromScript(page) || dependsOnSpecs(page);
}

function isFromScript({ computed }: Page): boolean {
  return computed !== undefined && isScripted(computed.type);
}

function keptAs(objects: ContentObjects, pool: string, name: string): Kept | undefined {
  const kept = objects.derived.get(name) as Kept | undefined;
  return kept !== undefined && objects.hasMade(pool, kept.made) ? kept : undefined;
}

async function expand(
  scope: Pick<Scope, 'workers'>,
  objects: ContentObjects,
  { pool, root, name }: { pool: string; root: string; name: string },
  sources: readonly AnySource[],
): Promise<Kept> {
  const draft = createDraft(objects, pool, root);
  const documents = new Set<string>();
  let isWhole = true;
  for (const source of sources) {
    const { page, seed } = source;
    const { id, ...record } = page;
    draft.put(keys.page(id), { ...record, seed, ...staleOf(source), ...partlyStaleOf(source) } as Json);
    const expansion = await expansionOf(scope, objects, pool, source);
    isWhole &&= expansion !== undefined;
    for (const { document } of expansion ?? []) if (document !== undefined) documents.add(document);
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
  source: AnySource,
): Promise<Expansion | undefined> {
  const result = 'result' in source ? source.result : undefined;
  if (result === null) return [];
  const name = `computed ${pool} by ${result === undefined ? source.seed : `${result.id} ${result.at}`}`;
  const known = objects.derived.get(name) as Expansion | undefined;
  const texts = known?.flatMap(({ document }) => document ?? []);
  if (known !== undefined && texts !== undefined && objects.hasMade(pool, texts)) return known;
  const pages: readonly ScriptedComputedPage[] | undefined = await ('result' in source
    ? result && pagesOfResult(objects, result)
    : expandSourceOf(scope, objects, pool, source));
  if (pages === undefined) return undefined;
  objects.keepMade(
    pool,
    pages.flatMap(({ document }) => document ?? []),
  );
  const expansion = pages.map(({ document, ...page }) => ({ ...page, document: document?.name }));
  objects.derived.set(name, expansion, { size: 5 + 5 * expansion.length });
  return expansion;
}

async function expandSourceOf(
  scope: Pick<Scope, 'workers'>,
  objects: ContentObjects,
  pool: string,
  source: Source,
): Promise<ComputedPage[] | undefined> {
  const input = await readSource(objects, pool, source);
  if (input === 'lost') return undefined;
  return (input === 'too_large' ? null : await expandInWorker(scope, input)) ?? [];
}

/** The pages of a source; `null` when it cannot be read, or takes too long. */
async function expandInWorker(
  { workers }: Pick<Scope, 'workers'>,
  input: Parameters<typeof expandSource>[0],
): Promise<ComputedPage[] | null> {
  try {
    return await workers.run(expandTask, input, { deadline: Date.now() + workerWaitMs });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'too_large') return null;
    throw error;
  }
}
