import type { ServiceContext } from '@scriptorium/platform';
import { allDeliveries, type AnyDelivery } from '../outbox/index.js';

/** An installation, or the queue of a webhook, for which something waits. */
export type Waiting = Pick<AnyDelivery, 'installation' | 'integration' | 'organization' | 'slot'>;

/** Installations and queues of these slots for which something is due, without those that are skipped. */
export async function findWaiting(
  context: Pick<ServiceContext, 'database' | 'now'>,
  { slots, skipped, limit }: { slots: number[]; skipped: string[]; limit: number },
): Promise<Waiting[]> {
  // Mostly nothing waits, and many slots are a costly question.
  const around = { $gte: Math.min(...slots), $lte: Math.max(...slots) };
  const any = await allDeliveries(context).findOne({ state: 'queued', slot: around }, { projection: { slot: 1 } });
  if (any === null) return [];
  return allDeliveries(context)
    .find({ state: 'queued', slot: { $in: slots }, nextAt: { $lte: context.now() }, installation: { $nin: skipped } })
    .project<Waiting>({ installation: 1, integration: 1, organization: 1, slot: 1 })
    .limit(limit)
    .toArray();
}
