import { recallTried } from '../texts/segment-memory.operational.js';
import { askAlone } from './ask-alone.process.js';
import { askTogether, isTriedTogether } from './ask-together.process.js';
import type { RequestGate } from './request-gate.js';
import { findBatch, type AskedSegment, type Batch } from './run-work.operational.js';
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
    const ask = isTriedTogether(state) ? askAlone : askTogether;
    return await ask(working, state, { ...batch, segments: left, n: at }, next);
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
