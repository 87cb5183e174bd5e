import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import { clusterDocuments, clusterOfText } from '../clusters/index.js';
import { answerPart, confirmTexts, dropPending, findPending, markPending, type TextPart } from '../texts/index.js';
import { conversation } from './conversation.js';
import { namesText } from './conversation-text.js';

/** The command of the timer that deletes texts which no event names. */
export const pendingTextsCommand = 'check_pending_texts';

/** Longer than a request, or a step of a run, takes from storing a text to recording the event that names it. */
const pendingMs = 600_000;
const [soonMs, batchSize, concurrency] = [1_000, 500, 32];

/** Has texts checked that were stored by a process which ended before it recorded what names them. */
export class PendingTexts {
  constructor(private readonly context: ServiceContext) {}

  /** What has ended before this start is checked now, and everything else later. */
  async start(): Promise<void> {
    const { store, now } = this.context;
    const timer = { id: pendingTextsCommand, command: pendingTextsCommand, data: null, organization: null };
    await store.timers.schedule({ ...timer, at: now(), correlation: pendingTextsCommand });
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Deletes texts that have been pending for ten minutes and that nothing names, and confirms the others. An answer of a
 * model stays pending while its conversation waits for its issues, and is deleted when it does not any more.
 */
export function pendingTextsTimer(context: ServiceContext): TimerHandler {
  return async (_timer, store) => {
    requireLive(store, [clusterDocuments]);
    const before = context.now() - pendingMs;
    const pending = await findPending(context, { before, limit: batchSize });
    const named = await namedTexts(store, pending);
    const kept = pending.filter((text) => named.has(text));
    await confirmTexts(
      context,
      kept.filter(({ part }) => part !== answerPart),
    );
    await markPending(
      context,
      kept.filter(({ part }) => part === answerPart),
    );
    await dropPending(
      context,
      pending.filter((text) => !named.has(text)),
      before,
    );
    const afterMs = pending.length === batchSize ? soonMs : pendingMs;
    await store
      .in(null)
      .schedule({ id: pendingTextsCommand, at: context.now() + afterMs, command: pendingTextsCommand, data: null });
  };
}

async function namedTexts(store: StoreScope, all: readonly TextPart[]): Promise<Set<TextPart>> {
  const named = new Set<TextPart>();
  for (let start = 0; start < all.length; start += concurrency)
    await Promise.all(
      all.slice(start, start + concurrency).map(async (text) => {
        if (await isNamed(store, text)) named.add(text);
      }),
    );
  return named;
}

async function isNamed(store: StoreScope, part: TextPart): Promise<boolean> {
  const cluster = clusterOfText(part);
  if (cluster !== undefined) return (await store.read(clusterDocuments).byId(cluster))?.text === part.place.text;
  return namesText(await store.load(conversation, part.place.owner), part);
}
