import {
  AppError,
  listOrganizationWebhookDeliveries,
  redeliverOrganizationWebhookDelivery,
  testOrganizationWebhook,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { addAttempt, Dispatcher, dropDelivered, hasArrived, sendWebhook, webhookMessage } from '../dispatch/index.js';
import { queueOf, testDelivery, webhookDeliveries } from '../outbox/index.js';
import { requireWebhook, webhookAddresses } from '../webhooks/index.js';
import { notRedeliverable, redeliver } from './redeliver.process.js';
import {
  answeredIn,
  listWebhookDeliveries,
  requireWebhookDelivery,
  showWebhookDelivery,
} from './webhook-deliveries.queries.js';

/** What was sent to webhooks. */
@Controller()
export class WebhookDeliveriesController {
  constructor(readonly dispatcher: Dispatcher) {}

  @Handles(listOrganizationWebhookDeliveries)
  async list({ params, query }: InputOf<typeof listOrganizationWebhookDeliveries>, call: Call) {
    const { _id: webhook } = await requireWebhook(call, params);
    return listWebhookDeliveries(call, { ...query, webhook, operation: call.operation });
  }

  /** Sends the same again. @throws AppError `conflict` for what waits, a test, and a webhook that is disabled */
  @Handles(redeliverOrganizationWebhookDelivery)
  async redeliver({ params }: InputOf<typeof redeliverOrganizationWebhookDelivery>, call: Call) {
    const { _id: webhook, disabled } = await requireWebhook(call, params);
    const found = await requireWebhookDelivery(call, { webhook, event: params.deliveryId });
    if (found.type === 'test') throw notRedeliverable('A test is not sent again: send another one');
    if (disabled !== null) throw notRedeliverable('The webhook is disabled: enable it before');
    return showWebhookDelivery(call, await redeliver(call, this.dispatcher, found));
  }

  /** Sends a test, and records it among the deliveries. */
  @Handles(testOrganizationWebhook)
  async test({ params }: InputOf<typeof testOrganizationWebhook>, call: Call) {
    const webhook = await requireWebhook(call, params);
    const { _id: id, organization, address } = webhook;
    const url = await webhookAddresses.find(call, { owner: id, version: address });
    if (url === undefined) throw new AppError('not_found');
    const event = call.idFor('test');
    const delivery = testDelivery({ webhook: id, organization, event }, call.now());
    const attempt = await sendWebhook(call, { webhook, url }, webhookMessage(delivery));
    const succeeded = hasArrived(attempt.status);
    const reason = attempt.status === null ? 'no_answer' : `status_${attempt.status}`;
    const ended = succeeded ? { state: 'success' as const } : { state: 'failed' as const, reason };
    // A repeated request has sent it again, and is one more attempt at it.
    await webhookDeliveries(call).replaceOne({ _id: delivery._id }, { ...delivery, ...ended }, { upsert: true });
    const { integration, installation } = delivery;
    await addAttempt(call, { event, integration, installation, time: Date.parse(attempt.at) }, attempt);
    await this.#forgetRemoved(params, call);
    return { id: event, succeeded, ...answeredIn(attempt) };
  }

  /** A webhook that was deleted meanwhile leaves no record. */
  async #forgetRemoved(params: InputOf<typeof testOrganizationWebhook>['params'], call: Call): Promise<void> {
    try {
      await requireWebhook(call, params);
    } catch (error) {
      await dropDelivered(call, { installation: queueOf(params.webhookId) });
      throw error;
    }
  }
}
