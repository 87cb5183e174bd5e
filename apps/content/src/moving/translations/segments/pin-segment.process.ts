import { AppError, type TranslationSegment } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { checkSegment, termsIn } from '@scriptorium/rich-text';
import { termsOfPair } from '../glossary/glossary.queries.js';
import { dropPinned, keepPinned, recall } from '../texts/segment-memory.operational.js';
import { mostOf } from '../translated-page.js';
import type { TranslationDocument } from '../translation.projection.js';
import { pin, translation } from '../translation.js';
import { notePinned, noteSegment, pagesWithSegments, type StoredSegment } from './page-segments.operational.js';
import { dropPins, findPins, keepPin, pinsOfSources } from './pins.operational.js';
import { renderSegments, requireSegment } from './segments.queries.js';

/** A translation as what is written for it is checked. */
interface Target extends Pick<TranslationDocument, 'organization' | 'from' | 'language'> {
  translation: string;
  /** `false` when the provider writes no other language. */
  isLanguage: boolean;
}

/** Pages that a run is requested for at once. What stands on more comes into the others with their next change. */
const mostPages = 500;

/**
 * Corrects what a segment and its equals read, or takes that back.
 * @throws AppError `not_found`, `content_change_invalid` with what is wrong with the text
 */
export async function pinSegment(
  call: Call,
  about: Target,
  id: string,
  target: string | null,
): Promise<TranslationSegment> {
  const segment = await requireSegment(call, about.translation, id);
  const terms = target === null ? [] : await checked(call, about, segment, target);
  // What has ended meanwhile must not get a text.
  const state = await call.store.load(translation, about.translation);
  if (state.isEnded) throw new AppError('not_found');
  if (!call.store.dry) await (target === null ? unpin(call, segment) : repin(call, segment, { text: target, terms }));
  const pages = (await pagesWithSegments(call, about.translation, segment.hash)).slice(0, mostPages);
  await call.store.handle(translation, about.translation, (known) =>
    pin(known, { segment: id, pages, isPinned: target !== null }),
  );
  return call.store.dry
    ? dryAnswer(call, segment, target)
    : answer(call, await requireSegment(call, about.translation, id));
}

/** Checks a text as one of a provider is. @returns the entries of the glossary that its source contains */
async function checked(call: Call, about: Target, { block, source }: StoredSegment, target: string): Promise<string[]> {
  const { organization, from, language: to, isLanguage } = about;
  const terms = termsIn(source, await termsOfPair(call, organization, { from, to }), from);
  const problems = checkSegment(source, target, { from, to, terms, isLanguage, most: mostOf(block) });
  if (problems.length > 0)
    throw new AppError(
      'content_change_invalid',
      problems.map((message) => ({ path: 'body.target', message })),
      { message: `The text cannot be used: ${problems.join(', ')}` },
    );
  return terms.map(({ id }) => id);
}

async function repin(call: Call, segment: StoredSegment, text: { text: string; terms: string[] }): Promise<void> {
  const { translation: owner, id, page, segment: inPage, hash, source } = segment;
  await keepPin(call, { translation: owner, id, page, segment: inPage }, { hash, source, target: text.text });
  await keepPinned(call, owner, hash, text);
  await notePinned(call, owner, hash, true);
  await noteSegment(call, segment, { problems: [], hasProblem: false });
}

/** A pin of an earlier source is taken back, too. */
async function unpin(call: Call, segment: StoredSegment): Promise<void> {
  const { translation: owner, id, hash, source, problems } = segment;
  const own = (await findPins(call, owner, [id])).get(id);
  const equal = (await pinsOfSources(call, owner, [source])).get(source);
  for (const one of new Set([hash, own?.hash ?? hash, equal?.hash ?? hash])) await dropPinned(call, owner, one);
  await dropPins(call, { translation: owner, id, source });
  await notePinned(call, owner, hash, false);
  await noteSegment(call, segment, { isPinned: false, hasProblem: problems.length > 0 });
}

async function answer(call: Call, segment: StoredSegment): Promise<TranslationSegment> {
  const [shown] = await renderSegments(call, segment.translation, [segment]);
  if (shown === undefined) throw new AppError('not_found');
  return shown;
}

async function dryAnswer(call: Call, segment: StoredSegment, target: string | null): Promise<TranslationSegment> {
  const { correction: _, ...shown } = await answer(call, segment);
  const known = (await recall(call, segment.translation, [segment.hash])).get(segment.hash);
  const given = known?.isPinned === true ? null : (known?.text ?? null);
  return {
    ...shown,
    target: target ?? given,
    pinned: target !== null,
    problems: target === null ? segment.problems.slice() : [],
  };
}
