import type { ServiceContext } from '@scriptorium/platform';
import { allDeliveries, slots, type AnyDelivery } from '../outbox/index.js';

/** Whether a slot is one of webhooks. */
export function isOfWebhooks(slot: number): boolean {
  return slot >= slots;
}

/**
 * What is delivered next: to an installation in the order of the log, to a webhook what is due first, so that nothing
 * waits for one that is tried again later.
 */
export async function nextFor(
  context: Pick<ServiceContext, 'database'>,
  { installation, slot }: Pick<AnyDelivery, 'installation' | 'slot'>,
): Promise<AnyDelivery | undefined> {
  const found = isOfWebhooks(slot)
    ? allDeliveries(context).find({ state: 'queued', slot, installation }).sort({ nextAt: 1 })
    : allDeliveries(context).find({ installation, state: 'queued' }).sort({ position: 1, rank: 1, _id: 1 });
  return (await found.limit(1).toArray())[0];
}
