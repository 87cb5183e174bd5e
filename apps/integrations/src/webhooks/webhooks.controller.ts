import {
  createOrganizationWebhook,
  deleteOrganizationWebhook,
  getOrganizationWebhook,
  listOrganizationWebhooks,
  rotateOrganizationWebhookSecret,
  updateOrganizationWebhook,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { changeWebhook, createWebhook } from './change-webhook.process.js';
import { webhookSecret } from './secret.process.js';
import { remove, rotate, webhooksOf } from './webhook.js';
import { listWebhooks, requireWebhook, showWebhook } from './webhooks.queries.js';

/** The webhooks of organizations. */
@Controller()
export class WebhooksController {
  @Handles(listOrganizationWebhooks)
  list({ params, query }: InputOf<typeof listOrganizationWebhooks>, call: Call) {
    return listWebhooks(call, { ...query, organization: params.organizationId, operation: call.operation });
  }

  @Handles(createOrganizationWebhook)
  async create(input: InputOf<typeof createOrganizationWebhook>, call: Call) {
    const { webhook: webhookId, repeated } = await createWebhook(call, input);
    const { organizationId } = input.params;
    return {
      ...(await readAfterCreate(call, async () =>
        showWebhook(call, await requireWebhook(call, { organizationId, webhookId })),
      )),
      ...(repeated ? {} : { secret: webhookSecret(call.keys, webhookId, 0) }),
    };
  }

  @Handles(getOrganizationWebhook)
  async get({ params }: InputOf<typeof getOrganizationWebhook>, call: Call) {
    return showWebhook(call, await requireWebhook(call, params));
  }

  @Handles(updateOrganizationWebhook)
  async update(input: InputOf<typeof updateOrganizationWebhook>, call: Call) {
    await changeWebhook(call, input);
    return showWebhook(call, await requireWebhook(call, input.params));
  }

  @Handles(rotateOrganizationWebhookSecret)
  async rotate({ params }: InputOf<typeof rotateOrganizationWebhookSecret>, call: Call) {
    const { organizationId, webhookId } = params;
    await requireWebhook(call, params);
    const { events, repeated } = await call.store.handle(webhooksOf, organizationId, (state) =>
      rotate(state, webhookId),
    );
    const generation = events.flatMap(({ type, data }) =>
      type === 'WebhookSecretRotated' ? [data.generation] : [],
    )[0];
    const isShown = !repeated && generation !== undefined;
    return {
      ...(await showWebhook(call, await requireWebhook(call, params))),
      ...(isShown ? { secret: webhookSecret(call.keys, webhookId, generation) } : {}),
    };
  }

  @Handles(deleteOrganizationWebhook)
  async remove({ params }: InputOf<typeof deleteOrganizationWebhook>, call: Call) {
    const { events } = await call.store.handle(webhooksOf, params.organizationId, (state) =>
      remove(state, params.webhookId),
    );
    return events.length > 0;
  }
}
