import { AppError, type OwnSession, type Session } from '@scriptorium/contracts';
import { pageBy, type CursorKeys, type Page, type PageRequest, type ServiceContext } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { findPassword } from '../passwords/passwords.operational.js';
import { getUser } from '../users/users.queries.js';
import { sessions, type SessionDocument } from './sessions.operational.js';

/** The sessions of a person that have not ended, newest first. `current`: the one that asks, if it is one. */
export function listSessions(
  context: ServiceContext,
  { user, current, operation, ...request }: PageRequest & { user: string; current: string; operation: string },
): Promise<Page<Session>> {
  const filter: Filter<SessionDocument> = { user, expiresAt: { $gt: context.now() } };
  const behind = (after: CursorKeys): Filter<SessionDocument> => {
    const [at, id] = [Number(after[0]), after[1]];
    return { $and: [filter, { $or: [{ createdAt: { $lt: at } }, { createdAt: at, _id: { $lt: id } }] }] };
  };
  const found = pageBy<SessionDocument>(context.cursors, {
    binding: { operation, scope: { user }, sort: 'createdAt', order: 'desc' },
    request,
    fetch: (limit, after) => sessions(context).find(after === undefined ? filter : behind(after)).sort({ createdAt: -1, _id: -1 }).limit(limit).toArray(),
    count: () => sessions(context).countDocuments(filter),
    keysOf: ({ createdAt, _id }) => [createdAt, _id],
  });
  return found.then((page) => ({ ...page, items: page.items.map((doc) => renderSession(context, doc, current)) }));
}

/** A session as its owner sees it, who uses it now. */
export async function getOwnSession(context: ServiceContext, session: SessionDocument): Promise<OwnSession> {
  const [user, password] = await Promise.all([getUser(context, session.user, session.user), findPassword(context.store, session.user)]);
  return { ...renderSession(context, session, session._id), user, password: password !== null };
}

/** @throws AppError `unauthenticated` when it has just ended. */
export async function getSessionDocument(context: ServiceContext, id: string): Promise<SessionDocument> {
  const session = await sessions(context).findOne({ _id: id });
  if (session === null) throw new AppError('unauthenticated');
  return session;
}

function renderSession(context: ServiceContext, doc: SessionDocument, current: string): Session {
  const time = (ms: number): string => new Date(ms).toISOString();
  return {
    object: 'session',
    id: doc._id,
    method: doc.method,
    createdAt: time(doc.createdAt),
    lastSeenAt: time(doc.lastSeenAt),
    expiresAt: time(doc.expiresAt),
    current: doc._id === current,
    ...(doc.client === null ? {} : { client: doc.client }),
    ...(doc.organization === null ? {} : { organization: doc.organization }),
    urls: { location: `${context.urls.api}/user/sessions/${doc._id}` },
  };
}
