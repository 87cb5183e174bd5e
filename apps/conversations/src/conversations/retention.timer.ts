import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import { withdrawIssues } from '../clusters/index.js';
import { dropTexts } from '../texts/index.js';
import { conversations } from './conversation.projection.js';
import { conversation, expire } from './conversation.js';
import { expireCommand, type Retention } from './retention.js';

const [hourMs, soonMs] = [3_600_000, 1_000];
/** Conversations that one firing deletes. */
const batchSize = 500;

/** Has old conversations deleted from the next hour on. There is one timer for all organizations. */
export async function scheduleExpiry(store: StoreScope, now: number, afterMs = hourMs): Promise<void> {
  const at = (Math.floor(now / hourMs) + 1) * hourMs;
  await store.in(null).schedule({
    id: expireCommand,
    at: afterMs === hourMs ? at : now + afterMs,
    command: expireCommand,
    data: null,
  });
}

/** Deletes conversations that are too old, the oldest first. It comes back as long as there are conversations. */
export function expireTimer(context: ServiceContext, retention: Retention): TimerHandler {
  return async ({ at }, store) => {
    requireLive(store, [conversations]);
    const before = retention.keptSince();
    if (before === undefined) return;
    const model = store.read(conversations);
    const old = await model
      .find({ createdAt: { $lt: before } }, { sort: { createdAt: 1 }, limit: batchSize })
      .toArray();
    for (const { _id: owner, organization, text } of old)
      await store
        .in(organization)
        .step(owner)
        .handle(conversation, owner, (state) => expire(state, text));
    for (const organization of new Set(old.map((doc) => doc.organization)))
      await withdrawIssues(
        { store, database: context.database, now: context.now },
        organization,
        old.flatMap((doc) => (doc.organization === organization ? [{ conversation: doc._id, text: doc.text }] : [])),
      );
    await dropTexts(
      context,
      old.map(({ _id: owner, organization, text }) => ({ organization, owner, text })),
    );
    if (old.length > 0) await context.idempotency.forget();
    const isLeft = old.length === batchSize || (await model.findOne({ createdAt: { $gte: before } })) !== null;
    if (!isLeft) return;
    await scheduleExpiry(store, Math.max(at, context.now()), old.length === batchSize ? soonMs : hourMs);
  };
}
