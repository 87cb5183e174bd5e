import { toMarkdown } from '@scriptorium/rich-text';
import { termsOfPair } from '../glossary/glossary.queries.js';
import { findInstructions } from '../instructions.operational.js';
import { waitBeforeTry } from '../providers/batches.js';
import { ProviderFailure, type TranslationProvider } from '../providers/provider.js';
import { translateBatch, type TranslatedBatch } from '../providers/translate-batch.js';
import { recallTried, remember, rememberProblems } from '../segment-memory.operational.js';
import type { RequestGate } from './request-gate.js';
import { findBatch, noteBatch, type AskedSegment, type Batch } from './run-work.operational.js';
import { refusal } from './plan.process.js';
import { mostWords } from './segment.process.js';
import { failedFor, firstState, type RunState, type Stepped, type Working } from './working.process.js';

/** How long a batch waits for its turn before it looks again, ms. */
const turnMs = 250;

/** Has the next batch translated, and remembers what came of it. */
export async function translate(working: Working, state: RunState, gate: RequestGate): Promise<Stepped> {
  const { scope, of } = working;
  const { at, batches, words } = state;
  if (at >= batches) {
    if (words > mostWords) return failedFor('limit_reached');
    return { next: { ...state, phase: 'build', at: 0 } };
  }
  const batch = await findBatch(scope, of, at);
  if (batch === null) return { next: firstState };
  const next = { ...state, at: at + 1, tries: 0 };
  const left = await unanswered(working, batch);
  if (left.length === 0) return { next };
  const refused = await refusal(working);
  if (refused !== undefined) return failedFor(refused);
  if (!gate.enter()) return { next: state, afterMs: turnMs };
  try {
    await answer(working, at, { ...batch, segments: left });
    return { next };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const tries = state.tries + 1;
    const afterMs = waitBeforeTry(tries, error.retryAfterMs);
    return afterMs === undefined ? failedFor('provider_error', tries) : { next: { ...state, tries }, afterMs };
  } finally {
    gate.leave();
  }
}

/** What of a batch the memory does not have. A run that was killed has asked for some of it already. */
async function unanswered({ scope, of }: Working, { segments }: Batch): Promise<AskedSegment[]> {
  const tried = await recallTried(
    scope,
    of.translation,
    segments.map(({ hash }) => hash),
  );
  return segments.filter(({ hash, since }) => {
    const before = tried.get(hash);
    return before === undefined || before.request < since;
  });
}

async function answer(working: Working, n: number, { segments, headings }: Batch): Promise<void> {
  const { scope, of, about, organization, provider, known, run } = working;
  const pair = { from: about.from, to: about.language };
  const needed = new Set(segments.flatMap(({ terms }) => terms));
  const all = needed.size === 0 ? [] : await termsOfPair(scope, organization, pair);
  const terms = all.filter(({ id }) => needed.has(id)).map(({ source, target }) => ({ source, target }));
  const named = { translation: of.translation, name: known.instructions };
  const [instructions] = (await findInstructions(scope, [named])).values();
  const asked = segments.map(({ hash: id, text }) => ({ id, text }));
  const wishes = instructions === undefined ? '' : toMarkdown(instructions);
  const batch = { ...pair, segments: asked, headings, terms, instructions: wishes };
  const given = await translateBatch(inTime(provider), batch, run.signal);
  await keep(working, segments, given);
  await noteBatch(scope, of, n, { usage: given.usage, translated: given.texts.size });
}

async function keep(
  { scope, of, running: { request } }: Working,
  segments: readonly AskedSegment[],
  given: TranslatedBatch,
): Promise<void> {
  const texts = new Map<string, { text: string; terms: readonly string[]; request: number }>();
  const refused = new Map<string, { problems: readonly string[]; terms: readonly string[]; request: number }>();
  for (const { hash, terms } of segments) {
    const text = given.texts.get(hash);
    if (text !== undefined) texts.set(hash, { text, terms, request });
    else refused.set(hash, { problems: given.problems.get(hash) ?? ['unanswered'], terms, request });
  }
  await remember(scope, of.translation, texts);
  await rememberProblems(scope, of.translation, refused);
}

/** How long one request may take, and all of a batch, ms: what has been answered then is kept. */
const [requestMs, batchMs] = [110_000, 230_000];

/** A provider that does not hold up a step for too long. */
function inTime(provider: TranslationProvider): TranslationProvider {
  const end = performance.now() + batchMs;
  return {
    ...provider,
    translates: (from, to) => provider.translates(from, to),
    async translate(batch, signal) {
      const left = Math.min(requestMs, end - performance.now());
      if (left <= 0) throw new ProviderFailure('The provider takes too long');
      const late = AbortSignal.timeout(left);
      try {
        return await provider.translate(batch, AbortSignal.any([signal, late]));
      } catch (error) {
        if (late.aborted && !signal.aborted) throw new ProviderFailure('The provider takes too long');
        throw error;
      }
    },
  };
}
