import { organizationAccess, type Place, type ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  type IntegrationEvent,
  type IntegrationEventWithTrace,
  type Principal,
  type ResourceAccess,
} from '@scriptorium/contracts';
import type { Page, PageRequest, Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { attemptsOf, type AttemptRecord } from '../dispatch/index.js';
import { deliveries, taskOf, type Delivery } from '../outbox/index.js';
import { findByName } from '../publishing/index.js';
import { pageOfDeliveries } from './page-of-deliveries.queries.js';

type Listing = PageRequest & { operation: string; status?: Delivery['state'] | undefined };

/** Events of an integration, or of an installation of it, the newest first. */
export async function listEvents(
  scope: Scope,
  of: { integration: string; installation?: string },
  name: string,
  { operation, page, limit, status }: Listing,
): Promise<Page<IntegrationEvent>> {
  const filter: Filter<Delivery> = { ...of, ...(status === undefined ? {} : { state: status }) };
  const found = await pageOfDeliveries(scope, deliveries(scope), {
    filter,
    sort: 'createdAt',
    operation,
    of: { ...of, status },
    request: { page, limit },
  });
  return { ...found, items: found.items.map((one) => showEvent(one, name)) };
}

/** The delivery of an event of an integration; `null` when there is none. */
export async function findEvent(
  scope: Pick<Scope, 'database'>,
  integration: string,
  event: string,
): Promise<Delivery | null> {
  return deliveries(scope).findOne({ event, integration });
}

/** An event with what the script did; with `installation`, one of it. @throws AppError `not_found` */
export async function eventWithTrace(
  scope: Scope,
  {
    integration,
    name,
    event,
    installation,
  }: { integration: string; name: string; event: string; installation?: string },
): Promise<IntegrationEventWithTrace> {
  const found = await findEvent(scope, integration, event);
  if (found === null || (installation ?? found.installation) !== found.installation) throw new AppError('not_found');
  const attempts = await attemptsOf(scope, event);
  const logs = attempts.flatMap(({ trace }) =>
    (trace?.logs ?? []).map(({ at, level, message }) => ({ timestamp: new Date(at).toISOString(), level, message })),
  );
  return { event: showEvent(found, name), trace: { logs, attempts: attempts.map(showAttempt) } };
}

/** An event as it is answered: without configurations. */
export function showEvent(delivery: Delivery, name: string): IntegrationEvent {
  const { event, installation, type, target, revision, status, before, reason, visibility } = delivery;
  const of = installation === '' || taskOf(delivery) !== undefined ? {} : { installationId: installation };
  return {
    id: event,
    integrationId: name,
    ...of,
    createdAt: delivery.createdAt,
    status: delivery.state,
    ...(reason === null ? {} : { reason }),
    attempts: delivery.attempts,
    ...(delivery.replay === undefined ? {} : { replay: delivery.replay }),
    payload: {
      eventId: event,
      type,
      ...of,
      ...(target === null ? {} : { [`${target.kind}Id`]: target.id }),
      ...(revision === null ? {} : { revisionId: revision }),
      ...(visibility && { previousVisibility: visibility.previous, visibility: visibility.present }),
      ...(status === null ? {} : { status }),
      ...(before?.status === null || before === null ? {} : { previous: { status: before.status } }),
    },
  };
}

function showAttempt({ at, durationMs, status, reason, trace }: AttemptRecord) {
  const { outcome, exceptions = [], requests = [], truncated = false } = trace ?? {};
  return {
    at,
    durationMs,
    ...(status === null ? {} : { status }),
    ...(reason === null ? {} : { reason }),
    ...(outcome === undefined ? {} : { outcome }),
    exceptions: exceptions.map(({ name, message, stack }) => ({
      name,
      message,
      ...(stack === undefined ? {} : { stack }),
    })),
    requests,
    truncated,
  };
}

/**
 * Access to an event: admins of the owner of the integration, and of the organization that has installed it; operators
 * have theirs.
 */
export async function accessToEvent(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { integrationName = '', eventId = '' }: { integrationName?: string; eventId?: string },
): Promise<ResourceAccess> {
  const integration = await findByName(scope, integrationName);
  const event = integration === null ? null : await findEvent(scope, integration._id, eventId);
  if (integration === null || event === null) return { ...organizationAccess(null), exists: false };
  const places = await Promise.all(
    [event.organization, integration.organization].map((one) => access.placeIn(scope, one, principal)),
  );
  const place = places.find((one) => isAdmin(one)) ?? places.find((one) => one !== null) ?? null;
  const member = organizationAccess(place);
  if (!principal.operator) return member;
  return { organization: event.organization, ...member, relations: new Set([...member.relations, 'operator']) };
}

function isAdmin(place: Place | null): boolean {
  return place?.role === 'admin' && !place.withoutSSO;
}
