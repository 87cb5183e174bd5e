import { installedIntegrations } from '@scriptorium/access';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { webhooks, type StoredWebhook } from '../webhooks/index.js';
import type { Receiver } from './receivers.js';

/** Who can get something in an organization. */
export interface Receivers {
  installations: Receiver[];
  webhooks: StoredWebhook[];
}

/** The installations of an organization, and its webhooks. */
export async function receiversIn(store: StoreScope, organization: string): Promise<Receivers> {
  const [installations, found] = await Promise.all([
    installedIntegrations(store, organization),
    store.read(webhooks).find({ organization }).toArray(),
  ]);
  return { installations, webhooks: found };
}
