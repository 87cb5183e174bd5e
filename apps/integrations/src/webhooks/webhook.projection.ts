import type { WebhookDisabling, WebhookEventType } from '@scriptorium/contracts';
import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { webhookEvents, type WebhookEvent } from './webhook.events.js';

/** A webhook. What happened before `since`, the position in the log, is not sent to it. */
export interface WebhookDocument {
  organization: string;
  name: string | null;
  /** Names the address, which is stored encrypted. */
  address: string;
  events: readonly WebhookEventType[];
  generation: number;
  rotatedAt: string | null;
  disabled: { at: string; reason: WebhookDisabling } | null;
  since: number;
  createdAt: string;
}

function writes({ entityId, meta, position, ...event }: Recorded<WebhookEvent>): Write<WebhookDocument>[] {
  if (event.type === 'WebhooksClosed') return [];
  const { webhook: set } = event.data;
  switch (event.type) {
    case 'WebhookCreated': {
      const { name, address, events } = event.data;
      const made = { name, address, events, generation: 0, rotatedAt: null, disabled: null };
      const doc = { organization: entityId, ...made, since: Number(position), createdAt: meta.time };
      return [{ put: set, doc }];
    }
    case 'WebhookRenamed':
      return [{ set, fields: { name: event.data.name } }];
    case 'WebhookAddressChanged':
      return [{ set, fields: { address: event.data.address } }];
    case 'WebhookEventsChanged':
      return [{ set, fields: { events: event.data.events, since: Number(position) } }];
    case 'WebhookSecretRotated':
      return [{ set, fields: { generation: event.data.generation, rotatedAt: meta.time } }];
    case 'WebhookDisabled':
      return [{ set, fields: { disabled: { at: meta.time, reason: event.data.reason } } }];
    case 'WebhookEnabled':
      return [{ set, fields: { disabled: null, since: Number(position) } }];
    case 'WebhookDeleted':
      return [{ remove: set }];
  }
}

/** The webhooks of organizations. */
export const webhooks = projection({
  name: 'webhook',
  version: 1,
  entities: ['webhooks'],
  events: [webhookEvents],
  indexes: [{ key: { organization: 1, createdAt: 1, _id: 1 } }],
  writes,
});
