import type { StoreScope } from '@scriptorium/event-sourcing';
import { deliveriesKeptMs } from './deliveries.operational.js';
import { outbox } from './outbox.projection.js';

/** How long what happened is kept, so that it can be delivered again, ms. */
export const causesKeptMs = deliveriesKeptMs;

const removedAtOnce = 1_000;

/** Removes some of what happened before a time, ms, and is planned (up to a position). Whether there may be more. */
export async function removeOldCauses(
  store: StoreScope,
  { before, planned }: { before: number; planned: number },
): Promise<boolean> {
  const old = await store
    .read(outbox)
    .find({ time: { $lt: new Date(before).toISOString() } }, { projection: { position: 1 } })
    .sort({ time: 1 })
    .limit(removedAtOnce)
    .toArray();
  const done = old.filter(({ position }) => position <= planned).map(({ _id }) => _id);
  if (done.length > 0) await store.read(outbox).raw.deleteMany({ _id: { $in: done } });
  return done.length === removedAtOnce;
}
