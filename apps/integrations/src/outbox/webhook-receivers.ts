import type { WebhookEventType } from '@scriptorium/contracts';
import type { Target } from '../installations/index.js';
import type { StoredWebhook } from '../webhooks/index.js';
import type { Cause } from './cause.js';
import type { PlannedForWebhook } from './webhook-deliveries.operational.js';

/** What is sent to webhooks of an organization because of a cause: to those that wish it since before. Pure. */
export function plannedForWebhooks(
  cause: Cause,
  position: number,
  webhooks: readonly Pick<StoredWebhook, '_id' | 'organization' | 'events' | 'disabled' | 'since'>[],
): PlannedForWebhook[] {
  const told = toldOf(cause);
  if (told === undefined) return [];
  return webhooks
    .filter(({ disabled, since, events }) => disabled === null && since < position && events.includes(told.type))
    .map(({ _id: webhook, organization }) => ({ webhook, organization, ...told }));
}

function toldOf(cause: Cause): { type: WebhookEventType; target: Target; revision: string | null } | undefined {
  switch (cause.kind) {
    case 'content_updated': {
      const { space: id, revision } = cause;
      return { type: 'space_content_updated', target: { kind: 'space', id }, revision };
    }
    case 'place_added':
      return { type: `${cause.target.kind}_added`, target: cause.target, revision: null };
    case 'place_removed':
      return { type: `${cause.target.kind}_removed`, target: cause.target, revision: null };
    default:
      return undefined;
  }
}
