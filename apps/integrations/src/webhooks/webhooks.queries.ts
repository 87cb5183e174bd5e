import { AppError, type Webhook } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { webhookAddresses } from './address.operational.js';
import { webhooks, type WebhookDocument } from './webhook.projection.js';

export type StoredWebhook = Stored<WebhookDocument>;

/** A webhook of an organization. @throws AppError `not_found` */
export async function requireWebhook(
  scope: Pick<Scope, 'store'>,
  { organizationId, webhookId }: { organizationId: string; webhookId: string },
): Promise<StoredWebhook> {
  const found = await scope.store.read(webhooks).byId(webhookId);
  if (found?.organization !== organizationId) throw new AppError('not_found');
  return found;
}

/** A webhook as it is answered. */
export async function showWebhook(
  scope: Pick<Scope, 'urls' | 'database' | 'keys'>,
  { _id: id, organization, name, address, events, disabled, createdAt, rotatedAt }: StoredWebhook,
): Promise<Webhook> {
  const url = await webhookAddresses.find(scope, { owner: id, version: address });
  return {
    object: 'webhook',
    id,
    ...(name === null ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    events: [...events],
    status: disabled === null ? 'active' : 'disabled',
    ...(disabled === null ? {} : { disabledAt: disabled.at, disabledReason: disabled.reason }),
    createdAt,
    ...(rotatedAt === null ? {} : { secretRotatedAt: rotatedAt }),
    urls: { location: `${scope.urls.api}/orgs/${organization}/webhooks/${id}` },
  };
}

/** The webhooks of an organization, newest first. */
export async function listWebhooks(
  scope: Scope,
  filter: PageRequest & { organization: string; operation: string },
): Promise<Page<Webhook>> {
  const { organization, operation } = filter;
  const page = await findPage(scope.cursors, {
    model: scope.store.read(webhooks),
    filter: { organization },
    sort: 'createdAt',
    binding: { operation, scope: { organization }, order: 'desc' },
    request: filter,
  });
  return { ...page, items: await Promise.all(page.items.map((one) => showWebhook(scope, one))) };
}
