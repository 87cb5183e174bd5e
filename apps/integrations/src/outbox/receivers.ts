import {
  activeSince,
  installationStatus,
  type InstallationNeed,
  type InstallationReachDocument,
  type InstalledIntegration,
} from '@scriptorium/access';
import type {
  InstallationStatus,
  integrationEventTypes,
  IntegrationScope,
  Space,
  WebhookEventType,
} from '@scriptorium/contracts';
import type { Target } from '../installations/index.js';
import type { StoredWebhook } from '../webhooks/index.js';
import type { Before, Cause } from './cause.js';

/** Who can be told of something. */
export type Receiver = InstalledIntegration;

/** What is delivered to one installation because of one event, without its content. */
export interface Planned {
  integration: string;
  installation: string;
  organization: string;
  type: DeliveryType;
  target?: Target | undefined;
  revision?: string | undefined;
  status?: InstallationStatus | null | undefined;
  /** What was before; `null` for what is new. */
  before?: Before | null | undefined;
  /** The visibility of a space that was until then, and that is there now. */
  visibility?: { previous: Space['visibility']; present: Space['visibility'] } | undefined;
}

/** What is sent to a webhook because of one event. */
export interface PlannedForWebhook {
  webhook: string;
  organization: string;
  type: WebhookEventType;
  target: Target;
  revision: string | null;
}

export type DeliveryType = (typeof integrationEventTypes)[number];

/** The scope that an installation needs to be told of something. */
const contentScope: IntegrationScope = 'space:content:read';

/** The status of an installation. */
export function statusOfReceiver({ reach, integration }: Receiver): InstallationStatus {
  return installationStatus(reach, integration);
}

/** What is delivered to installations of an organization because of a change of a space or site, or of content. */
export function plannedForAll(cause: Cause, position: number, receivers: readonly Receiver[]): Planned[] {
  switch (cause.kind) {
    case 'content_updated': {
      const target = { kind: 'space', id: cause.space } as const;
      return receivers
        .filter((one) => isToldOf(one, { scope: contentScope, target, position }))
        .map((one) => ({ ...named(one), type: 'space_content_updated', target, revision: cause.revision }));
    }
    case 'place_added':
      return receivers
        .filter((one) => isInAll(one, cause.target, position))
        .map((one) => ({ ...named(one), type: setupOf(cause.target.kind), target: cause.target, before: null }));
    case 'place_removed':
      return receivers
        .filter((one) => isInAll(one, cause.target, position))
        .map((one) => ({ ...named(one), type: deletedOf(cause.target.kind), target: cause.target }));
    default:
      return [];
  }
}

/** What is delivered to an installation because of its own change; nothing to one that is paused, or not there. */
export function plannedForOne(cause: Cause, position: number, receiver: Receiver | undefined): Planned[] {
  if (receiver === undefined || receiver.reach.paused !== null) return [];
  switch (cause.kind) {
    case 'installation_setup': {
      const { status, before } = cause;
      // What says nothing of a status has not changed it.
      const present = status ?? statusOfReceiver(receiver);
      const until = before && { ...before, status: before.status ?? (status === null ? present : null) };
      return [{ ...named(receiver), type: 'installation_setup', status: present, before: until }];
    }
    case 'target_setup': {
      const { target, before } = cause;
      return [{ ...named(receiver), type: setupOf(target.kind), target, before }];
    }
    case 'target_deleted':
      // Of all spaces one ends with the space alone, of which it is told by that.
      return isInAll(receiver, cause.target, position)
        ? []
        : [{ ...named(receiver), type: deletedOf(cause.target.kind), target: cause.target }];
    default:
      return [];
  }
}

/** What is delivered to those of the receivers whom a cause concerns. */
export function plannedFor(cause: Cause, position: number, receivers: readonly Receiver[]): Planned[] {
  if (!('installation' in cause)) return plannedForAll(cause, position, receivers);
  return plannedForOne(
    cause,
    position,
    receivers.find(({ id }) => id === cause.installation),
  );
}

/**
 * What is delivered to an installation because a version asks for something else than the one before: its status, if
 * that follows from it.
 */
export function plannedForDemands(
  { demands, before }: Extract<Cause, { kind: 'demands_changed' }>,
  receiver: { id: string; reach: InstallationReachDocument },
): Planned[] {
  const [status, statusBefore] = [
    installationStatus(receiver.reach, demands),
    installationStatus(receiver.reach, before),
  ];
  if (status === statusBefore) return [];
  return [{ ...named(receiver), type: 'installation_setup', status, before: { status: statusBefore } }];
}

export function setupOf(kind: Target['kind']): DeliveryType {
  return kind === 'space' ? 'space_installation_setup' : 'site_installation_setup';
}

export function deletedOf(kind: Target['kind']): DeliveryType {
  return kind === 'space' ? 'space_installation_deleted' : 'site_installation_deleted';
}

/** What names an installation among what is planned. */
export function named({ id, reach: { integration, organization } }: Pick<Receiver, 'id' | 'reach'>) {
  return { installation: id, integration, organization };
}

/** Whether an installation is told of a space or site: it is active, has the scope, and reaches it since before. */
export function isToldOf(one: Receiver, { position, ...need }: InstallationNeed & { position: number }): boolean {
  const since = activeSince(one, need);
  return since !== null && since < position;
}

function isInAll({ reach }: Receiver, { kind }: Target, position: number): boolean {
  const since = kind === 'space' ? reach.allSpacesSince : reach.allSitesSince;
  return reach.paused === null && since !== null && since < position;
}

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
