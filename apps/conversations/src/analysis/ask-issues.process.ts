import { organizationFacts } from '@scriptorium/access';
import type { SentConversation } from '@scriptorium/clustering';
import { ModelFailure, type Chat } from '../models/index.js';
import type { Analysing } from './analysing.process.js';
import { findAnswers, keepAnswer, type Answer } from './answers.operational.js';
import { textsToSend } from './read-conversations.process.js';
import { recordedIssues, type Waiting } from './waiting.queries.js';

/** Conversations of which a model is asked in one step, and those of them at a time. */
const [mostAsked, atOnce] = [12, 4];
/** How often a model is asked of one conversation. */
const mostTries = 3;
/** How long it waits before it asks again, ms, unless the model's server says more. */
const pauses = [500, 3_000];
/** How long a run waits for it at most, ms: vectors are waited for longer, and issues are found without it. */
const longestPauseMs = 60_000;
/** How long a run goes on without a model that does not answer at all, ms. */
const awayMs = 600_000;

/** How far the asking of a model has come. */
export interface Asking {
  /** Steps in a row in which something failed. */
  tries: number;
  /** How long it waits before the next one, ms. */
  pauseMs: number;
  /** From when on the model is asked, ms since 1970: later than now when it has not answered at all. */
  chatFrom: number;
}

/** The language model, if there is one, it answers, and the organization wants it. */
export async function chatOf(
  { context, models, store, organization }: Analysing,
  { chatFrom }: Asking,
): Promise<Chat | undefined> {
  if (models.chat === undefined || context.now() < chatFrom) return undefined;
  return (await store.read(organizationFacts).byId(organization))?.ai === true ? models.chat : undefined;
}

/**
 * Asks a language model of some of the waiting conversations, and keeps what it says. Resolves to how far it has come;
 * to nothing when there is nothing to ask. One of which it gives nothing usable is analysed without it after 3 tries.
 */
export async function askStep(
  analysing: Analysing,
  asking: Asking,
  waiting: readonly Waiting[],
): Promise<Asking | undefined> {
  const { context, store } = analysing;
  const chat = await chatOf(analysing, asking);
  if (chat === undefined) return undefined;
  const [known, recorded] = [await findAnswers(context, waiting), await recordedIssues(store, waiting)];
  const unasked = waiting.filter(({ _id }, index) => known[index] === undefined && !recorded.has(_id));
  const some = unasked.slice(0, mostAsked);
  if (some.length === 0) return undefined;
  const texts = await textsToSend(context, some);
  const failed: { conversation: Waiting; error: ModelFailure }[] = [];
  for (let start = 0; start < texts.length; start += atOnce)
    await Promise.all(
      texts.slice(start, start + atOnce).map(async (sent, index) => {
        const conversation = some[start + index];
        if (conversation === undefined) return;
        const answer = await ask(chat, sent, analysing.signal);
        if (answer instanceof ModelFailure) failed.push({ conversation, error: answer });
        else await keepAnswer(context, conversation, answer);
      }),
    );
  return afterFailures(analysing, asking, { failed, asked: texts.length });
}

/** What a model says of a conversation. It is not asked of one that cannot be read, or in which a user says nothing. */
async function ask(
  chat: Chat,
  sent: SentConversation | undefined,
  signal: AbortSignal,
): Promise<Answer | ModelFailure> {
  if (sent === undefined || sent.messages.length === 0) return { issues: null };
  try {
    return { issues: await chat.issuesOf(sent, signal) };
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
}

async function afterFailures(
  { context, organization }: Analysing,
  { tries, chatFrom }: Asking,
  { failed, asked }: { failed: readonly { conversation: Waiting; error: ModelFailure }[]; asked: number },
): Promise<Asking> {
  if (failed.length === 0) return { tries: 0, pauseMs: 0, chatFrom };
  const why = [...new Set(failed.map(({ error }) => error.message))];
  context.logger.warn({ organization, failed: failed.length, why }, 'the language model gave no issues');
  if (tries + 1 < mostTries) {
    const waitMs = Math.max(...failed.map(({ error }) => error.waitMs));
    const pauseMs = Math.max(pauses[tries] ?? 0, Math.min(waitMs, longestPauseMs));
    return { tries: tries + 1, pauseMs, chatFrom };
  }
  for (const { conversation } of failed) await keepAnswer(context, conversation, { issues: null });
  const isAway = failed.length === asked && failed.every(({ error }) => error.kind !== 'answer');
  return { tries: 0, pauseMs: 0, chatFrom: isAway ? context.now() + awayMs : chatFrom };
}
