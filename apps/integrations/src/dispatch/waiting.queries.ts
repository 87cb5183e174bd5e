import type { ServiceContext } from '@scriptorium/platform';
import { allDeliveries, type AnyDelivery } from '../outbox/index.js';

/** An installation, or the queue of a webhook, for which something waits. */
export type Waiting = Pick<AnyDelivery, 'installation' | 'integration' | 'organization' | 'slot'>;

/** Whether anything waits in these slots. Mostly nothing does, and a query for many slots by number is costly. */
export async function isAnythingQueued(context: Pick<ServiceContext, 'database'>, slots: number[]): Promise<boolean> {
  const around = { $gte: Math.min(...slots), $lte: Math.max(...slots) };
  const queued = { state: 'queued', slot: around } as const;
  return (await allDeliveries(context).findOne(queued, { projection: { slot: 1 } })) !== null;
}

/** Installations and queues of these slots for which something is due, without those that are skipped. */
export function findWaiting(
  context: Pick<ServiceContext, 'database' | 'now'>,
  { slots, skipped, limit }: { slots: number[]; skipped: string[]; limit: number },
): Promise<Waiting[]> {
  return allDeliveries(context)
    .find({ state: 'queued', slot: { $in: slots }, nextAt: { $lte: context.now() }, installation: { $nin: skipped } })
    .project<Waiting>({ installation: 1, integration: 1, organization: 1, slot: 1 })
    .limit(limit)
    .toArray();
}
