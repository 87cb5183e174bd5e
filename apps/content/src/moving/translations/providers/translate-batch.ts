import { checkSegment, type SegmentProblem } from '@scriptorium/rich-text';
import {
  type BatchSegment,
  type TranslationAnswer,
  type TranslationBatch,
  type TranslationProvider,
  type TranslationUsage,
} from './provider.js';

/** Why nothing that a provider gave for a segment can be used. `unanswered`: it has left the segment out. */
export type AnswerProblem = SegmentProblem | 'unanswered';

/** What came of some segments of a batch: texts that passed every check, and the problems of those that did not. */
export interface TranslatedPart {
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, readonly AnswerProblem[]>;
  readonly usage: TranslationUsage;
}

/**
 * Translates a batch, and once more alone what did not pass the checks or was left out. What came of each answer is
 * given before the next request, so that it can be kept.
 * @throws ProviderFailure when a request was not answered; nothing is said then of the segments that are left
 */
export async function* translateBatch(
  provider: TranslationProvider,
  batch: TranslationBatch,
  signal: AbortSignal,
): AsyncGenerator<TranslatedPart> {
  const first = trimmed(await provider.translate(batch, signal));
  const texts = new Map<string, string>();
  const failed: { segment: BatchSegment; problems: AnswerProblem[] }[] = [];
  for (const segment of batch.segments) {
    const problems = problemsOf(provider, batch, segment, first);
    const text = first.texts.get(segment.id);
    if (problems.length === 0 && text !== undefined) texts.set(segment.id, text);
    else failed.push({ segment, problems });
  }
  yield { texts, problems: new Map(), usage: first.usage };
  for (const { segment, problems } of failed) {
    const again = trimmed(await provider.translate(onlyWith(batch, segment, problems), signal));
    const left = again.texts.has(segment.id) ? problemsOf(provider, batch, segment, again) : problems;
    yield partOf(segment.id, again, left);
  }
}

/** Spaces and line ends around a text are of no language: those of the source stay around it. */
function trimmed({ texts, usage }: TranslationAnswer): TranslationAnswer {
  return { texts: new Map([...texts].map(([id, text]) => [id, text.trim()])), usage };
}

function partOf(id: string, { texts, usage }: TranslationAnswer, problems: readonly AnswerProblem[]): TranslatedPart {
  const text = texts.get(id);
  return problems.length === 0 && text !== undefined
    ? { texts: new Map([[id, text]]), problems: new Map(), usage }
    : { texts: new Map(), problems: new Map([[id, problems]]), usage };
}

/** The problems of the text that was given for a segment. */
function problemsOf(
  { isLanguage }: TranslationProvider,
  { from, to, terms }: TranslationBatch,
  { id, text, most }: BatchSegment,
  { texts }: TranslationAnswer,
): AnswerProblem[] {
  const target = texts.get(id);
  return target === undefined ? ['unanswered'] : checkSegment(text, target, { from, to, terms, isLanguage, most });
}

/** The batch with one segment, and what was wrong with its first translation. */
function onlyWith(
  batch: TranslationBatch,
  segment: BatchSegment,
  problems: readonly AnswerProblem[],
): TranslationBatch {
  const named = problems.filter((problem) => problem !== 'unanswered').join(', ');
  const wrong = named === '' ? '' : `A translation was refused because of its ${named}.`;
  return { ...batch, segments: [segment], instructions: [batch.instructions, wrong].filter(Boolean).join('\n') };
}
