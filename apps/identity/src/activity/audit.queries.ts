import {
  AppError,
  auditSources,
  invalid,
  paramsOf,
  streamOfAction,
  urlOf,
  type Actor,
  type AuditEvent,
  type Target,
} from '@scriptorium/contracts';
import { positionFrom, type Stored } from '@scriptorium/event-sourcing';
import { countUpTo, keyed, pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { Long, type Filter } from 'mongodb';
import { renderDeletedUser, renderUser, users } from '../organization-read-models/index.js';
import { auditEvents, type AuditEventDocument } from './audit-event.projection.js';

type Doc = Stored<AuditEventDocument>;

export interface AuditFilter extends PageRequest {
  organization: string;
  operation: string;
  from?: string | undefined;
  to?: string | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  target?: string | undefined;
  space?: string | undefined;
}

/** Audit events of an organization, newest first. Events of the same moment are in the order of the log. */
export async function listAuditEvents(scope: Scope, filter: AuditFilter): Promise<Page<AuditEvent>> {
  const { organization, operation, from, to, action, actor, target, space } = filter;
  const model = scope.store.read(auditEvents);
  const where: Filter<Doc> = {
    organization,
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actor }),
    ...(target === undefined ? {} : { target }),
    ...(space === undefined ? {} : { 'within.space': space }),
    ...(from === undefined && to === undefined ? {} : { occurredAt: occurredWithin(from, to) }),
  };
  const page = await pageBy<Doc>(scope.cursors, {
    binding: {
      operation,
      scope: { organization, from, to, action, actor, target, space },
      sort: 'occurredAt',
      order: 'desc',
    },
    request: filter,
    fetch: async (limit, after) => {
      if (after !== undefined && (await scope.store.isFormer(BigInt(after[1]))))
        throw invalid('query.page', 'Was given before the installation was moved to other servers: begin again');
      return model
        .find(after === undefined ? where : { $and: [where, olderThan(String(after[0]), after[1])] })
        .sort({ occurredAt: -1, _at: -1 })
        .limit(limit)
        .toArray();
    },
    count: () => countUpTo(model, where),
    keysOf: (doc) => [doc.occurredAt, String(positionFrom(doc._at))],
  });
  return { ...page, items: await renderAuditEvents(scope, page.items) };
}

/** Limits of time, in the stored form, which always has milliseconds. */
function occurredWithin(from: string | undefined, to: string | undefined): { $gte?: string; $lt?: string } {
  const stored = (moment: string): string => new Date(moment).toISOString();
  return { ...(from === undefined ? {} : { $gte: stored(from) }), ...(to === undefined ? {} : { $lt: stored(to) }) };
}

function olderThan(occurredAt: string, position: string): Filter<Doc> {
  return { $or: [{ occurredAt: { $lt: occurredAt } }, { occurredAt, _at: { $lt: Long.fromString(position) } }] };
}

export async function getAuditEvent(scope: Scope, organization: string, id: string): Promise<AuditEvent> {
  const doc = await scope.store.read(auditEvents).byId(id);
  if (doc?.organization !== organization) throw new AppError('not_found');
  const [rendered] = await renderAuditEvents(scope, [doc]);
  return rendered as AuditEvent;
}

/** Audit events with their actors and targets as they are now. */
export async function renderAuditEvents(scope: Scope, docs: readonly Doc[]): Promise<AuditEvent[]> {
  const actorOf = await actorsOf(scope, docs);
  return docs.map((doc) => ({
    object: 'audit-event',
    id: doc._id,
    occurredAt: doc.occurredAt,
    action: doc.action,
    actor: actorOf(doc),
    source: sourceOf(doc),
    target: targetOf(doc, scope.urls),
  }));
}

/** The actors of these events with their present profiles. All people are read at once. */
export async function actorsOf(scope: Scope, docs: readonly Doc[]): Promise<(doc: Doc) => Actor> {
  const ids = docs.flatMap(({ actorKind, actor }) => (actorKind === 'user' ? [actor] : []));
  const people = keyed(await scope.store.read(users).byIds([...new Set(ids)]));
  return ({ actorKind, actor: id }) => {
    if (actorKind !== 'user') return { object: actorKind === 'integration' ? actorKind : 'system', id };
    const person = people.get(id);
    return person === undefined ? renderDeletedUser(id, scope.urls) : renderUser(person, scope.urls, { email: false });
  };
}

/** An event without a source was caused through the API by a user, or by a workflow of the installation itself. */
function sourceOf({ actorKind, source }: AuditEventDocument): AuditEvent['source'] {
  return auditSources.find((known) => known === source) ?? (actorKind === 'user' ? 'api' : 'workflow');
}

/** The resource that an event is about, with its URL if it has one. */
export function targetOf({ action, ...about }: AuditEventDocument, urls: Scope['urls']): Target {
  const stream = streamOfAction.get(action);
  if (stream === undefined) throw new AppError('unexpected', [], { message: `Unknown action ${action}` });
  const { shownBy } = stream;
  const named = { object: stream.target.object, id: about.target };
  const params = paramsOf(stream, about);
  if (shownBy.method !== 'GET' || params === undefined) return named;
  return {
    ...named,
    urls: {
      location: `${urls.api}${urlOf(shownBy, { params }).slice('/v1'.length)}`,
    },
  };
}
