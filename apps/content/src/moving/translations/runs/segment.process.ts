import { termsOfPair } from '../glossary/glossary.queries.js';
import { batchesOf } from '../providers/batches.js';
import { hashOfSegment, recallTried } from '../texts/segment-memory.operational.js';
import { pinsOfSources } from '../segments/pins.operational.js';
import { mostOf } from '../translated-page.js';
import { wantedSince } from '../translation.js';
import type { FoundSegment } from './page-texts.task.js';
import { sourceOf } from './plan.process.js';
import { readGroups, segmentsOfPages } from './read-pages.process.js';
import { changeChunk, findChunk, putBatches, type AskedSegment } from './run-work.operational.js';
import { firstState, type RunState, type Stepped, type Working } from './working.process.js';

/** Words that one run translates; the next one goes on. */
export const mostWords = 200_000;

type Wanted = AskedSegment & FoundSegment;

/** Takes the next pages apart, and notes what a provider has to be asked for. */
export async function segment(working: Working, state: RunState): Promise<Stepped> {
  const { scope, of } = working;
  const { at, chunks } = state;
  if (at >= chunks) return { next: { ...state, phase: 'translate', at: 0 } };
  const chunk = await findChunk(scope, of, at);
  if (chunk === null) return { next: firstState };
  const { found, reused } = await missing(working, chunk.keys);
  const taken: Wanted[] = [];
  let { words } = state;
  for (const one of found)
    if (words + one.words <= mostWords || words === 0) {
      taken.push(one);
      words += one.words;
    } else words = Number.MAX_SAFE_INTEGER;
  const batches = batchesOf(taken).map((some) => ({
    headings: some[0]?.headings ?? [],
    segments: some.flatMap(({ id }) => taken.find((one) => one.id === id) ?? []).map(asked),
  }));
  await putBatches(scope, of, state.batches, batches);
  const own = taken.reduce((sum, one) => sum + one.words, 0);
  await changeChunk(scope, of, at, { reused, words: own });
  return { next: { ...state, at: at + 1, batches: state.batches + batches.length, words } };
}

function asked({ hash, block, text, terms, since }: Wanted): AskedSegment {
  const most = mostOf(block);
  return { hash, text, terms, since, ...(most !== undefined && { most }) };
}

/** Segments of pages, once each, for which a provider has to be asked. Their ids are their hashes. */
async function missing(working: Working, keys: readonly string[]): Promise<{ found: Wanted[]; reused: number }> {
  const { scope, about, organization } = working;
  const terms = await termsOfPair(scope, organization, { from: about.from, to: about.language });
  const found = new Map<string, Wanted>();
  let reused = 0;
  for (const { pages } of await readGroups(working, await sourceOf(working), keys)) {
    const segments = await segmentsOfPages(scope, { pages, terms, from: about.from });
    const placed = pages.flatMap(({ key }, i) => (segments[i] ?? []).map((one) => ({ page: key.slice(2), one })));
    const wanted = await judgeOf(
      working,
      placed.map(({ one }) => one.text),
    );
    for (const { page, one } of placed) {
      const asked = wanted(page, one);
      if (asked === undefined) reused += 1;
      else found.set(asked.hash, asked);
    }
  }
  return { found: [...found.values()], reused };
}

/** Says of a segment whether a provider has to be asked for it, and how. */
async function judgeOf(
  working: Working,
  texts: readonly string[],
): Promise<(page: string, segment: FoundSegment) => Wanted | undefined> {
  const { scope, of, running } = working;
  const hashes = texts.map((text) => nameOf(working, text));
  const pinned = await pinsOfSources(scope, of.translation, texts);
  const tried = await recallTried(scope, of.translation, hashes);
  return (page, one) => {
    const hash = nameOf(working, one.text);
    const before = tried.get(hash);
    const since = wantedSince(running.wish, { page, terms: [...one.terms, ...(before?.terms ?? [])] });
    const isKnown = before !== undefined && before.request >= since;
    return pinned.has(one.text) || isKnown ? undefined : { ...one, id: hash, hash, since };
  };
}

/** The name of a text in the memory. */
export function nameOf({ about, provider }: Pick<Working, 'about' | 'provider'>, text: string): string {
  return hashOfSegment({ language: about.language, provider: provider.name, text });
}
