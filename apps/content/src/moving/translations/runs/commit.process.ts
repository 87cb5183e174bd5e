import { derivedId } from '@scriptorium/platform';
import { diff, isSame, type Json } from '@scriptorium/tree';
import { createResult, findNode } from '../../../library/index.js';
import {
  commit,
  contentTree,
  countContent,
  createDraft,
  idIn,
  keys,
  type ContentTree,
  type Draft,
  type NewRevision,
} from '../../../versions/index.js';
import { pagesWithSegments, replacePageSegments } from '../segments/page-segments.operational.js';
import type { Outcome } from '../translation.js';
import { isTranslated, refusal, rootOf, sourceOf } from './plan.process.js';
import { forgetUnused } from './forget-unused.process.js';
import { chunksOf, countBuilt, usageOfRun, type Chunk } from './run-work.operational.js';
import { failedFor, firstState, type RunState, type Stepped, type Working } from './working.process.js';

/** Records what was made as one revision of the result. */
export async function commitResult(working: Working, state: RunState): Promise<Stepped> {
  const refused = await refusal(working);
  if (refused !== undefined) return failedFor(refused);
  if ((await countBuilt(working.scope, working.of)) < state.chunks) return { next: firstState };
  const source = await sourceOf(working);
  const { store } = working.scope;
  const isNew = (await findNode({ store }, working.about.result)) === null;
  if (isNew) await create(working, source);
  // What an earlier run has begun to make may have another first content.
  const revision = await add(working, source, isNew || state.isWide);
  if (isNew || state.isWide) await dropGone(working, source);
  await forgetUnused(working.scope, working.of.translation);
  // An attempt before this one may have made it already.
  const isOwn = revision === revisionOf(working);
  return { outcome: await outcomeOf(working, state, { source, revision: isOwn ? revision : null }) };
}

const keyOf = ({ of }: Working): string => `translation:${of.run}`;

/** The revision that a run makes, if anything differs: that of its key. */
const revisionOf = (working: Working): string => derivedId(working.about.result, 'revision', keyOf(working));

type Source = Awaited<ReturnType<typeof sourceOf>>;
type Happened = NewRevision['changes'];

async function create(working: Working, source: Source): Promise<void> {
  const { scope, objects, of, about } = working;
  const draft = createDraft(objects, source.pool, source.root);
  await putBuilt(working, draft);
  const { root: tree, texts } = await draft.written();
  const changes: Happened = (await source.range(keys.pages)).map(([key]) => ({ kind: 'page_created', id: idIn(key) }));
  await objects.store(source.pool, texts);
  const revision = revisionOf(working);
  const counts = await countContent(draft);
  const first = { revision, tree, type: 'computed' as const, mergedFrom: null, counts, changes };
  const { result: id, source: from, language } = about;
  await createResult(scope, { id, translation: of.translation, source: from, language, pool: source.pool, first });
}

/** Adds a revision, if anything differs. @returns the newest one */
async function add(working: Working, source: Source, isWide: boolean): Promise<string> {
  const { scope, objects, of, about } = working;
  const { store, limits } = scope;
  const call = { store, limits, idFor: (what: string) => derivedId(of.run, what) };
  const { revision } = await commit(call, objects, {
    space: about.result,
    branch: about.result,
    type: 'computed',
    key: keyOf(working),
    async make(given, { head }) {
      const was = contentTree(objects, given.pool, head?.tree ?? source.root);
      const draft = isWide ? createDraft(objects, given.pool, source.root) : given;
      if (!isWide) await takeOver(working, source, draft);
      const built = await putBuilt(working, draft);
      return { result: undefined, changes: await happened(was, draft, built), draft };
    },
    repeated: () => Promise.resolve(undefined),
  });
  return revision;
}

/** A run that looks at everything compares no revisions of the source, so that it looks for what is gone, too. */
async function dropGone({ scope, of }: Working, source: Source): Promise<void> {
  const pages = await pagesWithSegments(scope, of.translation);
  const there = await source.getMany(pages.flatMap((id) => [keys.page(id), keys.reusableContent(id)]));
  const present = new Set([...there.keys()].map(idIn));
  for (const page of pages) if (!present.has(page)) await replacePageSegments(scope, of.translation, page, []);
}

/** What is not translated is in the result as it is in the source: places, files, variables. */
async function takeOver(working: Working, source: Source, draft: Draft): Promise<void> {
  const { objects, known, scope, of } = working;
  const before = known.translated === null ? null : await rootOf(working, known.translated);
  if (before === null) return;
  for await (const { key, after } of diff(objects.partsOf(source.pool), before, source.root)) {
    if (after === undefined) {
      draft.remove(key);
      if (isTranslated(key)) await replacePageSegments(scope, of.translation, idIn(key), []);
    } else if (!isTranslated(key)) draft.put(key, after);
  }
}

/** Puts what was built into a draft. @returns its keys */
async function putBuilt({ scope, of }: Working, draft: Draft): Promise<Map<string, Json>> {
  const built = new Map<string, Json>();
  for await (const chunk of chunksOf(scope, of))
    for (const { key, json } of chunk.built) built.set(key, JSON.parse(json) as Json);
  for (const [key, record] of [...built].sort(([a], [b]) => (a < b ? -1 : 1))) draft.put(key, record);
  return built;
}

/** What has become of pages and reusable contents. */
async function happened(was: ContentTree, draft: Draft, built: ReadonlyMap<string, Json>): Promise<Happened> {
  const before = await was.getMany([...built.keys()]);
  const edited = [...built].flatMap(([key, record]): Happened => {
    const there = before.get(key);
    if (isSame(there, record)) return [];
    const what = key.startsWith(keys.pages) ? 'page' : 'reusable_content';
    return [{ kind: `${what}_${there === undefined ? 'created' : 'edited'}`, id: idIn(key) }];
  });
  const gone = await Promise.all(
    (['page', 'reusable_content'] as const).map(async (what) => {
      const prefix = what === 'page' ? keys.pages : keys.reusableContents;
      const now = new Set((await draft.range(prefix)).map(([key]) => key));
      const removed = (await was.range(prefix)).filter(([key]) => !now.has(key));
      return removed.map(([key]) => ({ kind: `${what}_deleted` as const, id: idIn(key) }));
    }),
  );
  return [...edited, ...gone.flat()];
}

async function outcomeOf(
  { scope, of }: Working,
  state: RunState,
  { source, revision }: { source: Source; revision: string | null },
): Promise<Outcome> {
  const sums = { pages: 0, words: 0, reused: 0, kept: 0 };
  for await (const chunk of chunksOf(scope, of)) count(sums, chunk);
  const { usage, translated: texts } = await usageOfRun(scope, of);
  const { pages, words, reused, kept } = sums;
  // Reusable contents have segments, too.
  const pagesOfSource = new Set((await source.range(keys.pages)).map(([key]) => idIn(key)));
  const translated = await pagesWithSegments(scope, of.translation);
  return {
    revision,
    pages,
    totalPages: translated.filter((id) => pagesOfSource.has(id)).length,
    words,
    seconds: Math.round((scope.now() - state.startedAt) / 1_000),
    segments: { reused, translated: texts, kept },
    usage,
  };
}

function count(sums: { pages: number; words: number; reused: number; kept: number }, chunk: Chunk): void {
  sums.pages += chunk.keys.filter((key) => key.startsWith(keys.pages)).length;
  sums.words += chunk.words;
  sums.reused += chunk.reused;
  sums.kept += chunk.kept;
}
