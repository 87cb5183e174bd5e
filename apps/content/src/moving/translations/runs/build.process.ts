import { isSame } from '@scriptorium/tree';
import { spaces } from '../../../library/index.js';
import { createDraft, type ContentTree, type Draft } from '../../../versions/index.js';
import { recallTried } from '../texts/segment-memory.operational.js';
import { replacePageSegments, type PageSegment } from '../segments/page-segments.operational.js';
import { pinsOfSources } from '../segments/pins.operational.js';
import { fitsIn, leadingInto } from '../translated-page.js';
import type { BuiltPage, FoundSegment } from './page-texts.task.js';
import { sourceOf } from './plan.process.js';
import {
  pagesWithTexts,
  readGroups,
  segmentsOfPages,
  type ReadGroup,
  type SourceRecord,
} from './read-pages.process.js';
import { changeChunk, findChunk, type BuiltRecord } from './run-work.operational.js';
import { nameOf } from './segment.process.js';
import { firstState, type RunState, type Stepped, type Working } from './working.process.js';

/** Makes the next pages of the result, and stores their documents. */
export async function build(working: Working, state: RunState): Promise<Stepped> {
  const { scope, of, objects } = working;
  const { at, chunks } = state;
  if (at >= chunks) return { next: { ...state, phase: 'commit', at: 0 } };
  const chunk = await findChunk(scope, of, at);
  if (chunk === null) return { next: firstState };
  const source = await sourceOf(working);
  const others = await resultsOf(working);
  const draft = createDraft(objects, source.pool, source.root);
  const built: BuiltRecord[] = [];
  let kept = 0;
  for (const group of await readGroups(working, source, chunk.keys)) {
    const said = await textsOf(working, group);
    kept += said.kept;
    const pages = await pagesWithTexts(scope, { pages: group.pages, texts: said.texts, spaces: others });
    for (const [i, { key }] of group.pages.entries()) {
      const [record, page] = [group.records[i], pages[i]];
      if (record === undefined || page === undefined) continue;
      const made = await recordOf(draft, source, { record, page, spaces: others });
      built.push({ key, json: JSON.stringify(made) });
      await replacePageSegments(scope, of.translation, key.slice(2), said.segments[i] ?? []);
    }
  }
  const { texts } = await draft.written();
  await objects.store(source.pool, texts);
  await changeChunk(scope, of, at, { built, kept, isBuilt: true });
  return { next: { ...state, at: at + 1 } };
}

/** The results of translations into the same language, by their sources: links lead into them. */
async function resultsOf({ scope, about, others }: Working): Promise<Map<string, string>> {
  const same = [...others.all.values()].filter(({ language }) => language === about.language);
  const there = await scope.store.read(spaces).byIds(same.map(({ result }) => result));
  const results = new Set([...there.map(({ _id }) => _id), about.result]);
  return new Map(same.filter(({ result }) => results.has(result)).map(({ source, result }) => [source, result]));
}

interface Said {
  /** The texts of each page, by the ids of its segments. */
  texts: Map<string, string>[];
  segments: PageSegment[][];
  kept: number;
}

/** What the segments of pages read in the result. */
async function textsOf(working: Working, { pages }: ReadGroup): Promise<Said> {
  const { scope, of, about } = working;
  const found = await segmentsOfPages(scope, { pages, terms: [], from: about.from });
  const sources = found.flat().map(({ text }) => text);
  const pins = await pinsOfSources(scope, of.translation, sources);
  const tried = await recallTried(
    scope,
    of.translation,
    sources.map((text) => nameOf(working, text)),
  );
  let kept = 0;
  const texts: Said['texts'] = [];
  const segments = found.map((all) => {
    const own = new Map<string, string>();
    texts.push(own);
    return all.map((one) => {
      const hash = nameOf(working, one.text);
      const pinned = pins.get(one.text)?.target;
      const { text = pinned, problems = [] } = pinned === undefined ? (tried.get(hash) ?? {}) : {};
      // The same text may stand where there is more room.
      const isTooLong = text !== undefined && !fitsIn(one.block, text);
      if (text === undefined || isTooLong) kept += 1;
      else own.set(one.id, text);
      return segmentOf(one, hash, isTooLong ? ['length'] : problems);
    });
  });
  return { texts, segments, kept };
}

function segmentOf({ id: segment, block, text: source }: FoundSegment, hash: string, problems: readonly string[]) {
  return { segment, block, hash, source, problems: problems as PageSegment['problems'] };
}

/** What stands in the result: the same, but for texts and where links lead. */
async function recordOf(
  draft: Draft,
  source: ContentTree,
  { record, page, spaces: others }: { record: SourceRecord; page: BuiltPage; spaces: ReadonlyMap<string, string> },
): Promise<SourceRecord> {
  const document = page.document === undefined ? {} : { document: draft.addText(page.document) };
  if (!('type' in record)) return { ...record, ...document };
  const { title, description } = page;
  return {
    ...record,
    title,
    ...(description !== undefined && { description }),
    ...document,
    ...(record.target !== undefined && { target: leadingInto(record.target, others) }),
    ...(record.attributes !== undefined && {
      attributes: await attributesOf(draft, source, record.attributes, others),
    }),
  };
}

async function attributesOf(
  draft: Draft,
  source: ContentTree,
  name: string,
  others: ReadonlyMap<string, string>,
): Promise<string> {
  const before = await source.object(name);
  const after = leadingInto(before, others);
  return isSame(before, after) ? name : draft.add(after);
}
