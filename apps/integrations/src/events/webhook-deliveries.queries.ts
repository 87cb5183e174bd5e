import { AppError, type WebhookDelivery as Shown } from '@scriptorium/contracts';
import type { Page, PageRequest, Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { attemptsOfAll, webhookData, type AttemptRecord } from '../dispatch/index.js';
import { queueOf, webhookDeliveries, type WebhookDelivery } from '../outbox/index.js';
import { pageOfDeliveries } from './page-of-deliveries.queries.js';

/** What was sent to a webhook, or waits to be, the newest first. */
export async function listWebhookDeliveries(
  scope: Scope,
  { webhook, operation, page, limit }: PageRequest & { webhook: string; operation: string },
): Promise<Page<Shown>> {
  const filter: Filter<WebhookDelivery> = { installation: queueOf(webhook) };
  const found = await pageOfDeliveries(scope, webhookDeliveries(scope), {
    filter,
    sort: 'createdAt',
    operation,
    of: { webhook },
    request: { page, limit },
  });
  const attempts = await attemptsOfAll(
    scope,
    found.items.map(({ event }) => event),
  );
  return { ...found, items: found.items.map((one) => show(one, attempts.get(one.event) ?? [])) };
}

/** What was sent to a webhook, or waits to be. @throws AppError `not_found` */
export async function requireWebhookDelivery(
  scope: Pick<Scope, 'database'>,
  { webhook, event }: { webhook: string; event: string },
): Promise<WebhookDelivery> {
  const found = await webhookDeliveries(scope).findOne({ event, installation: queueOf(webhook) });
  if (found === null) throw new AppError('not_found');
  return found;
}

/** The same as it is answered, with the attempts at it. */
export async function showWebhookDelivery(scope: Scope, delivery: WebhookDelivery): Promise<Shown> {
  const attempts = await attemptsOfAll(scope, [delivery.event]);
  return show(delivery, attempts.get(delivery.event) ?? []);
}

function show(delivery: WebhookDelivery, attempts: readonly AttemptRecord[]): Shown {
  const { event: id, type, createdAt: timestamp, state: status, reason, nextAt } = delivery;
  return {
    id,
    type,
    timestamp,
    data: webhookData(delivery),
    status,
    ...(reason === null ? {} : { reason }),
    ...(status === 'queued' ? { nextAttemptAt: new Date(nextAt).toISOString() } : {}),
    ...(delivery.replay === undefined ? {} : { replay: delivery.replay }),
    attempts: attempts.map((one) => ({ at: one.at, ...answeredIn(one) })),
  };
}

/** How an attempt ended, as it is answered. */
export function answeredIn({ durationMs, status, reason, answer }: AttemptRecord) {
  return {
    durationMs,
    ...(status === null ? {} : { status }),
    ...(reason === null ? {} : { reason }),
    ...(answer === undefined ? {} : { answer }),
  };
}
