import { AppError, webhookBounds, type WebhookDisabling, type WebhookEventType } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedEntries,
  keyedGet,
  keyedPut,
  unchanged,
  type Keyed,
} from '@scriptorium/event-sourcing';
import { webhookEvents, type NewWebhook, type WebhookEvent } from './webhook.events.js';

interface WebhookState {
  name: string | null;
  /** Names the address, which is stored encrypted. */
  address: string;
  events: readonly WebhookEventType[];
  generation: number;
  isDisabled: boolean;
}

/** The webhooks of an organization. */
export interface Webhooks {
  /** The organization was deleted. */
  closed: boolean;
  webhooks: Keyed<WebhookState>;
}

function evolve(state: Webhooks, event: WebhookEvent): Webhooks {
  const { webhooks } = state;
  switch (event.type) {
    case 'WebhookCreated': {
      const { webhook, name, address, events } = event.data;
      const made = { name, address, events, generation: 0, isDisabled: false };
      return { ...state, webhooks: keyedPut(webhooks, webhook, made) };
    }
    case 'WebhookDeleted':
      return { ...state, webhooks: keyedDrop(webhooks, event.data.webhook) };
    case 'WebhooksClosed':
      return { closed: true, webhooks: emptyKeyed };
    case 'WebhookRenamed':
    case 'WebhookAddressChanged':
    case 'WebhookEventsChanged':
    case 'WebhookSecretRotated':
    case 'WebhookDisabled':
    case 'WebhookEnabled': {
      const found = keyedGet(webhooks, event.data.webhook);
      if (found === undefined) return state;
      return { ...state, webhooks: keyedPut(webhooks, event.data.webhook, { ...found, ...changedBy(event) }) };
    }
    default:
      return unchanged(state, event);
  }
}

type Changing = Exclude<WebhookEvent, { type: 'WebhookCreated' | 'WebhookDeleted' | 'WebhooksClosed' }>;

function changedBy(event: Changing): Partial<WebhookState> {
  switch (event.type) {
    case 'WebhookRenamed':
      return { name: event.data.name };
    case 'WebhookAddressChanged':
      return { address: event.data.address };
    case 'WebhookEventsChanged':
      return { events: event.data.events };
    case 'WebhookSecretRotated':
      return { generation: event.data.generation };
    case 'WebhookDisabled':
      return { isDisabled: true };
    case 'WebhookEnabled':
      return { isDisabled: false };
  }
}

export const webhooksOf = defineAggregate<Webhooks, typeof webhookEvents>({
  service: 'integrations',
  entity: 'webhooks',
  events: webhookEvents,
  initial: { closed: false, webhooks: emptyKeyed },
  evolve,
});

/** @throws AppError `not_found` for a deleted organization, `limit_reached` */
export function create({ closed, webhooks }: Webhooks, made: NewWebhook): WebhookEvent[] {
  if (closed) throw new AppError('not_found');
  if (webhooks.size >= webhookBounds.webhooks)
    throw new AppError('limit_reached', [], {
      message: `An organization can have at most ${webhookBounds.webhooks} webhooks`,
    });
  return [{ type: 'WebhookCreated', data: { ...made, events: inOrder(made.events) } }];
}

/** What shall be otherwise; what is left out stays as it is. */
export interface WebhookChanges {
  address?: string | undefined;
  events?: readonly WebhookEventType[] | undefined;
  name?: string | null | undefined;
  status?: 'active' | 'disabled' | undefined;
}

/** @throws AppError `not_found` */
export function change(state: Webhooks, webhook: string, changes: WebhookChanges): WebhookEvent[] {
  const found = keyedGet(state.webhooks, webhook);
  if (found === undefined) throw new AppError('not_found');
  const { address = found.address, name = found.name, status } = changes;
  const events = inOrder(changes.events ?? found.events);
  const all: WebhookEvent[] = [];
  if (name !== found.name) all.push({ type: 'WebhookRenamed', data: { webhook, name } });
  if (address !== found.address)
    all.push({ type: 'WebhookAddressChanged', data: { webhook, address, replaced: found.address } });
  if (events.join() !== inOrder(found.events).join())
    all.push({ type: 'WebhookEventsChanged', data: { webhook, events } });
  if (status === 'active' && found.isDisabled) all.push({ type: 'WebhookEnabled', data: { webhook } });
  if (status === 'disabled') all.push(...disable(state, webhook, 'admin'));
  return all;
}

/** Gives a webhook another secret. @throws AppError `not_found` */
export function rotate({ webhooks }: Webhooks, webhook: string): WebhookEvent[] {
  const found = keyedGet(webhooks, webhook);
  if (found === undefined) throw new AppError('not_found');
  return [{ type: 'WebhookSecretRotated', data: { webhook, generation: found.generation + 1 } }];
}

/** What names the address of a webhook. */
export function addressOf({ webhooks }: Webhooks, webhook: string): string | undefined {
  return keyedGet(webhooks, webhook)?.address;
}

/** Disables a webhook; one that is not there, or is disabled, stays as it is. */
export function disable({ webhooks }: Webhooks, webhook: string, reason: WebhookDisabling): WebhookEvent[] {
  const found = keyedGet(webhooks, webhook);
  return found === undefined || found.isDisabled ? [] : [{ type: 'WebhookDisabled', data: { webhook, reason } }];
}

/** Deletes a webhook; one that is not there is deleted. */
export function remove({ webhooks }: Webhooks, webhook: string): WebhookEvent[] {
  if (keyedGet(webhooks, webhook) === undefined) return [];
  return [{ type: 'WebhookDeleted', data: { webhook, reason: 'deleted' } }];
}

/** The organization was deleted: it has no webhooks any more. */
export function close({ closed, webhooks }: Webhooks): WebhookEvent[] {
  if (closed) return [];
  const all = keyedEntries(webhooks).map(([webhook]): WebhookEvent => {
    return { type: 'WebhookDeleted', data: { webhook, reason: 'organization_deleted' } };
  });
  return [...all, { type: 'WebhooksClosed', data: {} }];
}

/** Each type once, in one order: the same events in another order are no change. */
function inOrder(events: readonly WebhookEventType[]): WebhookEventType[] {
  return [...new Set(events)].sort();
}
