import {
  AppError,
  type createOrganizationWebhook,
  type InputOf,
  type updateOrganizationWebhook,
} from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { requireWebhookAddress } from './address-rule.process.js';
import { webhookAddresses } from './address.operational.js';
import { addressOf, change, create, webhooksOf } from './webhook.js';
import { requireWebhook, type StoredWebhook } from './webhooks.queries.js';

const field = 'body.url';

/**
 * Creates a webhook; its id, and whether the request repeats an earlier one.
 * @throws AppError `invalid_request` for an address that is refused, `limit_reached`
 */
export async function createWebhook(
  call: Call,
  { params: { organizationId }, body: { url, events, name } }: InputOf<typeof createOrganizationWebhook>,
): Promise<{ webhook: string; repeated: boolean }> {
  requireWebhookAddress(call.outbound, url, field);
  const webhook = call.idFor('webhook');
  const address = await keepAddress(call, webhook, url);
  const made = { webhook, name: name ?? null, address, events };
  const { repeated } = await keeping(call, { organizationId, webhook, address }, () =>
    call.store.handle(webhooksOf, organizationId, (state) => create(state, made)),
  );
  return { webhook, repeated };
}

/** @throws AppError `not_found`, and `invalid_request` for an address that is refused */
export async function changeWebhook(
  call: Call,
  { params, body: { url, events, name, status } }: InputOf<typeof updateOrganizationWebhook>,
): Promise<void> {
  const { organizationId, webhookId: webhook } = params;
  if (url !== undefined) requireWebhookAddress(call.outbound, url, field);
  const found = await requireWebhook(call, params);
  const address = url === undefined ? undefined : await newAddress(call, found, url);
  await keeping(call, { organizationId, webhook, address }, () =>
    call.store.handle(webhooksOf, organizationId, (state) => change(state, webhook, { address, events, name, status })),
  );
}

/** What names the address; nothing if it is the present one. */
async function newAddress(call: Call, { _id, address }: StoredWebhook, url: string): Promise<string | undefined> {
  const present = await webhookAddresses.find(call, { owner: _id, version: address });
  return present === url ? undefined : keepAddress(call, _id, url);
}

/** Stores an address; what names it. */
async function keepAddress(call: Call, owner: string, url: string): Promise<string> {
  const version = call.idFor('address');
  if (!call.store.dry) await webhookAddresses.add(call, { owner, version }, url);
  return version;
}

interface Kept {
  organizationId: string;
  webhook: string;
  address: string | undefined;
}

/** An address is stored before it is recorded. One that is not recorded is removed again. */
async function keeping<T>(
  call: Call,
  { organizationId, webhook, address }: Kept,
  record: () => Promise<T>,
): Promise<T> {
  try {
    return await record();
  } catch (error) {
    const isRefused = error instanceof AppError && ['limit_reached', 'not_found'].includes(error.reason);
    if (isRefused && address !== undefined && !call.store.dry) {
      const state = await call.store.load(webhooksOf, organizationId);
      if (addressOf(state, webhook) !== address)
        await webhookAddresses.drop(call, [{ owner: webhook, version: address }]);
    }
    throw error;
  }
}
