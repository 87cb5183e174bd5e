import type { ServiceAccess } from '@scriptorium/access';
import type { Stored, StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import {
  causesOf,
  deliveryOf,
  organizationOf,
  plannedFor,
  plannedForWebhooks,
  webhookDelivery,
  type AnyDelivery,
  type OutboxDocument,
} from '../outbox/index.js';
import type { ReplayReceiver } from './receiver.queries.js';

/** Before everything: a replay brings what a receiver was not told while it was paused or disabled. */
const logStart = -1;

/**
 * What one receiver gets of these types because of the first of these events, up to a number of deliveries: the same,
 * under the same ids, as if it had been there all the time.
 */
export async function plannedAgain(
  { context, access }: { context: ServiceContext; access: ServiceAccess },
  store: StoreScope,
  asked: {
    events: readonly Stored<OutboxDocument>[];
    receiver: ReplayReceiver;
    types: readonly string[];
    /** So many deliveries are planned, or a few more. */
    limit: number;
  },
): Promise<{ events: Stored<OutboxDocument>[]; planned: AnyDelivery[] }> {
  const now = context.now();
  const events: Stored<OutboxDocument>[] = [];
  const planned: AnyDelivery[] = [];
  for (const event of asked.events) {
    if (planned.length >= asked.limit) break;
    events.push(event);
    for (const cause of await causesOf(access, store, event)) {
      if ((await organizationOf(store, cause, event.organization)) !== asked.receiver.organization) continue;
      const { position, time: happenedAt } = event;
      const all: AnyDelivery[] =
        'webhook' in asked.receiver
          ? plannedForWebhooks(cause, position, [{ ...asked.receiver.webhook, since: logStart }]).map((one) =>
              webhookDelivery(one, { position, happenedAt }, now),
            )
          : plannedFor(cause, position, [ignoreSince(asked.receiver.installation)]).map((one) => ({
              ...deliveryOf(one, position, now),
              createdAt: happenedAt,
            }));
      planned.push(...all.filter(({ type }) => asked.types.includes(type)));
    }
  }
  return { events, planned };
}

/** A space or site is still reached from when it was selected on. */
function ignoreSince<R extends { reach: object }>(receiver: R): R {
  return { ...receiver, reach: { ...receiver.reach, since: logStart } };
}
