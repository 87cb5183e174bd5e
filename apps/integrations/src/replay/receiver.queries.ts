import { findInstalled } from '@scriptorium/access';
import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { queueOf, statusOfReceiver, type Receiver } from '../outbox/index.js';
import { webhooks, type StoredWebhook } from '../webhooks/index.js';

export const receiverKinds = ['webhook', 'installation'] as const;

/** To whom something is delivered again. */
export type ReplayReceiver = { organization: string; queue: string } & (
  { webhook: StoredWebhook } | { installation: Receiver }
);

/** A receiver that can be sent something; otherwise why it cannot. */
export function findReceiver(
  store: StoreScope,
  { kind, id }: { kind: (typeof receiverKinds)[number]; id: string },
): Promise<ReplayReceiver | AppError> {
  return kind === 'webhook' ? findWebhook(store, id) : findInstallation(store, id);
}

async function findWebhook(store: StoreScope, id: string): Promise<ReplayReceiver | AppError> {
  const webhook = await store.read(webhooks).byId(id);
  if (webhook === null) return new AppError('not_found');
  if (webhook.disabled !== null) return inactive('The webhook is disabled: enable it before');
  return { organization: webhook.organization, queue: queueOf(id), webhook };
}

async function findInstallation(store: StoreScope, id: string): Promise<ReplayReceiver | AppError> {
  const installation = await findInstalled(store, id);
  if (installation === null) return new AppError('not_found');
  const status = statusOfReceiver(installation);
  if (status !== 'active') return inactive(`The installation is ${status}: nothing is delivered to it`);
  return { organization: installation.reach.organization, queue: id, installation };
}

function inactive(message: string): AppError {
  return new AppError('conflict', [], { message });
}
