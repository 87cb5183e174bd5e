import { organizationFacts } from '@scriptorium/access';
import { EMPTY_ROOT, diff } from '@scriptorium/tree';
import { findNode, spaces } from '../../../library/index.js';
import { branches, contentTree, keys, revisions, type ContentTree } from '../../../versions/index.js';
import { dropWork, putChunks } from './run-work.operational.js';
import { failedFor, requireRevision, type RunState, type Stepped, type Working } from './working.process.js';

/** Pages and reusable contents that are read together. */
const together = 50;

/** Finds out what differs from what was translated last, and what else was asked for. */
export async function plan(working: Working, state: RunState): Promise<Stepped> {
  const { scope, of, running, known } = working;
  const refused = await refusal(working);
  if (refused !== undefined) return failedFor(refused);
  await dropWork(scope, of);
  const startedAt = scope.now();
  const source = await sourceOf(working);
  const before = known.translated === null ? null : await rootOf(working, known.translated);
  const isWide = before === null || running.wish.isWide;
  const wanted = isWide ? await allKeys(source) : await changedKeys(working, source, before);
  const planned: string[][] = [];
  for (let from = 0; from < wanted.length; from += together) planned.push(wanted.slice(from, from + together));
  await putChunks(scope, of, planned);
  return { next: { ...state, phase: 'segment', at: 0, chunks: planned.length, isWide, startedAt } };
}

/** Why nothing can be translated; `undefined` when it can. It may change while a run is at work. */
export async function refusal({ scope: { store }, provider, organization, about, known }: Working) {
  if (provider.sendsToModel === true && (await store.read(organizationFacts).byId(organization))?.ai === false)
    return 'ai_disabled';
  const [source, result, settings] = await Promise.all([
    findNode({ store }, about.source),
    findNode({ store }, about.result),
    store.read(spaces).byId(about.result),
  ]);
  if (source?.organization !== organization || source.deletedAt !== null) return 'source_deleted';
  if (result === null) return known.translated === null ? undefined : 'result_deleted';
  const isThere = result.organization === organization && result.deletedAt === null && settings?.readOnly != null;
  return isThere ? undefined : 'result_deleted';
}

/** The content of the source that is translated. @throws AppError `unavailable` while reads do not show it */
export async function sourceOf({ scope, objects, about, running }: Working): Promise<ContentTree & { root: string }> {
  const branch = await scope.store.read(branches).byId(about.source);
  const pool = branch?.pool ?? about.source;
  const root = running.revision === null ? EMPTY_ROOT : (await requireRevision({ scope }, running.revision)).tree;
  return { ...contentTree(objects, pool, root), root };
}

/** The root of a revision that was translated; `null` when it is not there any more. */
export async function rootOf({ scope: { store } }: Working, revision: string): Promise<string | null> {
  return (await store.read(revisions).byId(revision))?.tree ?? null;
}

/** Whether an entry of a tree has texts that are translated. */
export const isTranslated = (key: string): boolean =>
  key.startsWith(keys.pages) || key.startsWith(keys.reusableContents);

async function allKeys(source: ContentTree): Promise<string[]> {
  const [pages, contents] = [await source.range(keys.pages), await source.range(keys.reusableContents)];
  return [...pages, ...contents].map(([key]) => key);
}

async function changedKeys(
  { objects, running }: Working,
  source: ContentTree & { root: string },
  before: string,
): Promise<string[]> {
  const found = new Set<string>();
  for await (const { key, after } of diff(objects.partsOf(source.pool), before, source.root))
    if (after !== undefined && isTranslated(key)) found.add(key);
  const there = await source.getMany(running.wish.pages.flatMap((id) => [keys.page(id), keys.reusableContent(id)]));
  return [...new Set([...found, ...there.keys()])].sort();
}
