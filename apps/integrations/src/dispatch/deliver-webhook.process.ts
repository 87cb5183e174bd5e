import type { StoreScope } from '@scriptorium/event-sourcing';
import type { Logger, ServiceContext } from '@scriptorium/platform';
import { webhookDeliveries, handleDisabling, webhookOf, type WebhookDelivery } from '../outbox/index.js';
import { webhookAddresses, webhooks, type StoredWebhook } from '../webhooks/index.js';
import type { After } from './deliver.process.js';
import { failingSince, forgetFailures } from './failures.operational.js';
import type { DispatchMetrics } from './metrics.process.js';
import { sendWebhook, type SendingContext } from './send-webhook.process.js';
import { addAttempt, dropTraces, type AttemptRecord } from './traces.operational.js';
import { hasArrived, isGivenUp, webhookPauseAfter } from './webhook-outcome.js';
import { webhookMessage } from './webhook-message.js';

interface Parts {
  context: SendingContext & Pick<ServiceContext, 'store' | 'database'> & { logger: Pick<Logger, 'error'> };
  metrics: Pick<DispatchMetrics, 'sent' | 'paused'>;
}

/** How long it takes at most until a new address is known here, ms. */
const knownSoonMs = 1_000;

/** Sends to webhooks, and records what came of it. */
export class WebhookDeliverer {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sends once. `has`: whether this replica may still record what came of it. */
  async deliver(delivery: WebhookDelivery, has: () => boolean): Promise<After> {
    const { context, metrics } = this.#parts;
    const store = this.#scope(delivery);
    const webhook = await store.read(webhooks).byId(webhookOf(delivery));
    if (webhook === null || webhook.disabled !== null) {
      await this.#change(delivery, { state: 'failed', reason: 'disabled' });
      return { kind: 'next' };
    }
    const url = await webhookAddresses.find(context, { owner: webhook._id, version: webhook.address });
    if (url === undefined) return { kind: 'pause', ms: knownSoonMs, of: 'installation' };
    const attempt = await sendWebhook(context, { webhook, url }, webhookMessage(delivery));
    if (!has()) return { kind: 'lost' };
    metrics.sent(hasArrived(attempt.status) ? 'success' : 'failed');
    await this.#record(delivery, attempt);
    await this.#follow(store, { ...delivery, attempts: delivery.attempts + 1 }, { attempt, webhook });
    return { kind: 'next' };
  }

  #scope({ organization, event }: WebhookDelivery): StoreScope {
    const operation = 'deliver_to_webhook';
    const actor = { kind: 'system', id: operation };
    return this.#parts.context.store.scope({ actor, organization, operation, correlation: event, idem: event });
  }

  async #record({ event, integration, installation }: WebhookDelivery, attempt: AttemptRecord): Promise<void> {
    const time = Date.parse(attempt.at);
    await addAttempt(this.#parts.context, { event, integration, installation, time }, attempt);
  }

  async #follow(
    store: StoreScope,
    delivery: WebhookDelivery,
    { attempt, webhook }: { attempt: AttemptRecord; webhook: StoredWebhook },
  ): Promise<void> {
    const { context, metrics } = this.#parts;
    const { attempts, installation } = delivery;
    if (hasArrived(attempt.status)) {
      await this.#change(delivery, { state: 'success', reason: null, attempts });
      return forgetFailures(context, installation);
    }
    const since = await failingSince(context, installation, context.now());
    const reason = attempt.status === null ? 'no_answer' : `status_${attempt.status}`;
    const ms = webhookPauseAfter(attempts, Math.random());
    if (ms !== undefined) return this.#change(delivery, { attempts, reason, nextAt: context.now() + ms });
    await this.#change(delivery, { state: 'failed', reason, attempts });
    if (!isGivenUp(since, context.now()) || !(await handleDisabling(store, delivery, 'failures'))) return;
    await forgetFailures(context, installation);
    metrics.paused('webhook_failures');
    context.logger.error({ webhook: webhook._id }, 'A webhook is disabled, since nothing has arrived for 5 days');
  }

  /** Changes a delivery that waits. One that was removed while it was sent leaves no trace. */
  async #change({ _id, event, installation }: WebhookDelivery, changed: Partial<WebhookDelivery>): Promise<void> {
    const { context } = this.#parts;
    const { matchedCount } = await webhookDeliveries(context).updateOne({ _id, state: 'queued' }, { $set: changed });
    if (matchedCount > 0) return;
    if ((await webhookDeliveries(context).countDocuments({ _id }, { limit: 1 })) > 0) return;
    await dropTraces(context, [event]);
    await forgetFailures(context, installation);
  }
}
