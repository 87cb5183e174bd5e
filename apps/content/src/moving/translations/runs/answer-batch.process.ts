import { toMarkdown } from '@scriptorium/rich-text';
import { termsOfPair } from '../glossary/glossary.queries.js';
import { findInstructions } from '../texts/instructions.operational.js';
import type { TranslationBatch, TranslationProvider } from '../providers/provider.js';
import { translateBatch, type TranslatedPart } from '../providers/translate-batch.js';
import { remember, rememberProblems } from '../texts/segment-memory.operational.js';
import { noteBatch, type AskedSegment, type Batch } from './run-work.operational.js';
import type { Working } from './working.process.js';

/** Segments of a batch, and its number. */
export interface Asked extends Pick<Batch, 'segments' | 'headings'> {
  n: number;
}

/**
 * Asks a provider for segments of a batch, and remembers each answer before the next request: what was answered is not
 * asked for again when the run breaks off. `kept` is called after
 * each that was of use.
 * @throws ProviderFailure as `translateBatch` does
 */
export async function answerBatch(
  working: Working,
  provider: TranslationProvider,
  asked: Asked,
  kept: () => void,
): Promise<void> {
  const { scope, of, run } = working;
  for await (const part of translateBatch(provider, await requestOf(working, asked), run.signal)) {
    await keep(working, asked.segments, part);
    await noteBatch(scope, of, asked.n, { usage: part.usage, translated: part.texts.size });
    if (part.texts.size + part.problems.size > 0) kept();
  }
}

async function requestOf(working: Working, { segments, headings }: Asked): Promise<TranslationBatch> {
  const { scope, of, about, organization, known } = working;
  const pair = { from: about.from, to: about.language };
  const needed = new Set(segments.flatMap(({ terms }) => terms));
  const all = needed.size === 0 ? [] : await termsOfPair(scope, organization, pair);
  const terms = all.filter(({ id }) => needed.has(id)).map(({ source, target }) => ({ source, target }));
  const named = { translation: of.translation, name: known.instructions };
  const [instructions] = (await findInstructions(scope, [named])).values();
  const texts = segments.map(({ hash: id, text, most }) => ({ id, text, most }));
  return {
    ...{ ...pair, segments: texts, headings, terms },
    instructions: instructions === undefined ? '' : toMarkdown(instructions),
  };
}

async function keep(
  { scope, of, running: { request } }: Working,
  segments: readonly AskedSegment[],
  { texts, problems }: Pick<TranslatedPart, 'texts' | 'problems'>,
): Promise<void> {
  const termsOf = new Map(segments.map(({ hash, terms }) => [hash, terms]));
  const about = (hash: string) => ({ terms: termsOf.get(hash) ?? [], request });
  const given = [...texts].map(([hash, text]) => [hash, { text, ...about(hash) }] as const);
  const refused = [...problems].map(([hash, found]) => [hash, { problems: found, ...about(hash) }] as const);
  await remember(scope, of.translation, new Map(given));
  await rememberProblems(scope, of.translation, new Map(refused));
}
