import { AppError, type OwnSession, type Session } from '@scriptorium/contracts';
import { pageBy, type CursorKeys, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { findPassword } from '../passwords/passwords.operational.js';
import { memberKey, members } from '../../organization-read-models/index.js';
import { getUser, type SessionDocument, sessions } from '../../accounts/index.js';

/**
 * The sessions of a person that have not expired, newest first. `current`: id of the session that sent the request, if
 * one did.
 */
export function listSessions(
  scope: Scope,
  { user, current, operation, ...request }: PageRequest & { user: string; current: string; operation: string },
): Promise<Page<Session>> {
  const filter: Filter<SessionDocument> = { user, expiresAt: { $gt: scope.now() } };
  const olderThan = (after: CursorKeys): Filter<SessionDocument> => {
    const [at, id] = [Number(after[0]), after[1]];
    return { $and: [filter, { $or: [{ createdAt: { $lt: at } }, { createdAt: at, _id: { $lt: id } }] }] };
  };
  const found = pageBy<SessionDocument>(scope.cursors, {
    binding: { operation, scope: { user }, sort: 'createdAt', order: 'desc' },
    request,
    fetch: (limit, after) =>
      sessions(scope)
        .find(after === undefined ? filter : olderThan(after))
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .toArray(),
    count: () => sessions(scope).countDocuments(filter),
    keysOf: ({ createdAt, _id }) => [createdAt, _id],
  });
  return found.then((page) => ({ ...page, items: page.items.map((doc) => renderSession(scope, doc, current)) }));
}

/** The session of the request, with the user and whether they have a password. */
export async function getOwnSession(scope: Scope, session: SessionDocument): Promise<OwnSession> {
  const [user, password] = await Promise.all([
    getUser(scope, session.user, session.user),
    findPassword(scope, session.user),
  ]);
  return { ...renderSession(scope, session, session._id), user, password: password !== null };
}

/** @throws AppError `unauthenticated` when it has just ended. */
export async function getSessionDocument(scope: Scope, id: string): Promise<SessionDocument> {
  const session = await sessions(scope).findOne({ _id: id });
  if (session === null) throw new AppError('unauthenticated');
  return session;
}

/**
 * Whether a session can be used. One of a provider is valid as long as its user is an active member of that
 * organization.
 */
export async function isSessionUsable(
  { store }: Scope,
  { user, organization }: Pick<SessionDocument, 'user' | 'organization'>,
): Promise<boolean> {
  if (organization === null) return true;
  const place = await store.read(members).byId(memberKey(organization, user));
  return place?.disabled === false;
}

function renderSession(scope: Scope, doc: SessionDocument, current: string): Session {
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
    urls: { location: `${scope.urls.api}/user/sessions/${doc._id}` },
  };
}
