import { checkSegment, type SegmentProblem } from '@scriptorium/rich-text';
import {
  addUsage,
  noUsage,
  ProviderFailure,
  type TranslationAnswer,
  type TranslationBatch,
  type TranslationProvider,
  type TranslationUsage,
} from './provider.js';

/**
 * What came of a batch: texts that passed every check, and the problems of those that did not in two tries. A segment
 * in neither was not answered.
 */
export interface TranslatedBatch {
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, readonly SegmentProblem[]>;
  readonly usage: TranslationUsage;
}

/**
 * Translates a batch, and once more alone what did not pass the checks or was left out.
 * @throws ProviderFailure when the batch itself was not answered
 */
export async function translateBatch(
  provider: TranslationProvider,
  batch: TranslationBatch,
  signal: AbortSignal,
): Promise<TranslatedBatch> {
  const texts = new Map<string, string>();
  const problems = new Map<string, SegmentProblem[]>();
  const first = await provider.translate(batch, signal);
  let { usage } = first;
  for (const segment of batch.segments) {
    const found = problemsOf(provider, batch, segment, first);
    const again = found?.length === 0 ? first : await onceMore(provider, onlyWith(batch, segment, found), signal);
    if (again !== first) usage = addUsage(usage, again.usage);
    const left = again === first ? found : problemsOf(provider, batch, segment, again);
    const text = again.texts.get(segment.id);
    if (left?.length === 0 && text !== undefined) texts.set(segment.id, text);
    else if (left ?? found) problems.set(segment.id, left ?? found ?? []);
  }
  return { texts, problems, usage };
}

/** The problems of the text that was given for a segment; `undefined` when none was given. */
function problemsOf(
  { isLanguage }: TranslationProvider,
  { from, to, terms }: TranslationBatch,
  { id, text }: TranslationBatch['segments'][number],
  { texts }: TranslationAnswer,
): SegmentProblem[] | undefined {
  const target = texts.get(id);
  return target === undefined ? undefined : checkSegment(text, target, { from, to, terms, isLanguage });
}

/** The batch with one segment, and what was wrong with its first translation. */
function onlyWith(
  batch: TranslationBatch,
  segment: TranslationBatch['segments'][number],
  problems: readonly SegmentProblem[] = [],
): TranslationBatch {
  const wrong = problems.length === 0 ? '' : `A translation was refused because of its ${problems.join(', ')}.`;
  return { ...batch, segments: [segment], instructions: [batch.instructions, wrong].filter(Boolean).join('\n') };
}

/** A second try takes nothing from a batch that has been answered, also when it fails. */
async function onceMore(
  provider: TranslationProvider,
  batch: TranslationBatch,
  signal: AbortSignal,
): Promise<TranslationAnswer> {
  try {
    return await provider.translate(batch, signal);
  } catch (error) {
    if (error instanceof ProviderFailure) return { texts: new Map(), usage: noUsage };
    throw error;
  }
}
