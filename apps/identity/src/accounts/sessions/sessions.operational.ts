import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { formatSession, type Session } from '@scriptorium/contracts';
import { base62, newId, type Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

/** A session. It is not recorded as events, and is removed when it ends. Secrets are stored only as SHA-256. */
export interface SessionDocument {
  _id: string;
  user: string;
  method: Session['method'];
  /** The only organization in which the session is valid, if its provider signed the user in; null for all others. */
  organization: string | null;
  client: string | null;
  /** Epoch ms, as all times here. */
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  hash: string;
  renewedAt: number;
  /**
   * The secret before the present one. It works until the present one is used, since the answer with the new secret may
   * have been lost.
   */
  previous: string | null;
  /** When the present secret was first used; null before that. */
  confirmedAt: number | null;
}

const day = 24 * 3600 * 1000;
export const sessionLifeMs = 30 * day;
const renewEveryMs = day;
/** How long the old secret still works after the new one was used, for requests that were under way. */
const overlapMs = 60_000;
const recordSeenEveryMs = 60_000;
/** The most sessions of a person. When a new one exceeds that number, the oldest ends. */
const maxSessionsPerUser = 50;

const collection = 'op_sessions';
export const sessionIndexes = {
  [collection]: [
    { key: { user: 1, createdAt: 1, _id: 1 }, name: 'user_createdAt' },
    { key: { expiresAt: 1 }, name: 'expiresAt' },
  ],
} as const;

export function sessions({ database }: Pick<Scope, 'database'>): Collection<SessionDocument> {
  return database.collection<SessionDocument>(collection);
}

export interface NewSession {
  user: string;
  method: Session['method'];
  organization?: string | undefined;
  client?: string | undefined;
}

/** Begins a session. `text` is the content of the cookie, and is stored nowhere. */
export async function beginSession(
  scope: Scope,
  { user, method, organization, client }: NewSession,
): Promise<{ text: string; session: SessionDocument }> {
  const now = scope.now();
  const { id, text, hash } = newSecret(newId());
  const session: SessionDocument = {
    _id: id,
    user,
    method,
    organization: organization ?? null,
    client: client ?? null,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + sessionLifeMs,
    hash,
    renewedAt: now,
    previous: null,
    confirmedAt: null,
  };
  await sessions(scope).insertOne(session);
  const tooMany = await sessions(scope)
    .find({ user })
    .sort({ createdAt: -1, _id: -1 })
    .skip(maxSessionsPerUser)
    .toArray();
  if (tooMany.length > 0) await sessions(scope).deleteMany({ _id: { $in: tooMany.map(({ _id }) => _id) } });
  return { text, session };
}

/**
 * The result of looking up a secret. `stolen`: the secret was replaced, and the new one is in use, so two clients have
 * the session.
 */
export type SessionLookup =
  { kind: 'none' } | { kind: 'stolen'; user: string } | { kind: 'valid'; session: SessionDocument; renewed?: string };

/** Finds the session of an id and the SHA-256 of its text. Once a day the session gets a new secret. */
export async function findSession(scope: Scope, id: string, hash: string): Promise<SessionLookup> {
  const now = scope.now();
  const session = await sessions(scope).findOne({ _id: id });
  if (session === null || session.expiresAt <= now) return { kind: 'none' };
  const { previous, confirmedAt } = session;
  if (hashesMatch(session.hash, hash)) {
    await touch(scope, session, now);
    return now - session.renewedAt < renewEveryMs ? { kind: 'valid', session } : renew(scope, session, hash, now);
  }
  if (previous === null || !hashesMatch(previous, hash)) return { kind: 'none' };
  if (confirmedAt === null && now - session.renewedAt >= overlapMs) return renew(scope, session, previous, now);
  if (confirmedAt === null || now - confirmedAt < overlapMs) return { kind: 'valid', session };
  await sessions(scope).deleteOne({ _id: id });
  return { kind: 'stolen', user: session.user };
}

/**
 * Gives the session a new secret. Of several requests at the same time one succeeds; the others keep the present
 * secret.
 */
async function renew(scope: Scope, session: SessionDocument, previous: string, now: number): Promise<SessionLookup> {
  const { text, hash } = newSecret(session._id);
  const { matchedCount } = await sessions(scope).updateOne(
    { _id: session._id, hash: session.hash },
    { $set: { hash, previous, renewedAt: now, confirmedAt: null } },
  );
  return matchedCount === 1 ? { kind: 'valid', session, renewed: text } : { kind: 'valid', session };
}

async function touch(
  scope: Scope,
  { _id, hash, previous, confirmedAt, lastSeenAt }: SessionDocument,
  now: number,
): Promise<void> {
  const confirms = previous !== null && confirmedAt === null;
  if (!confirms && now - lastSeenAt < recordSeenEveryMs) return;
  await sessions(scope).updateOne(
    { _id, hash },
    { $set: { lastSeenAt: now, ...(confirms ? { confirmedAt: now } : {}) } },
  );
}

/** Ends a session of a person. False when the person has no such session. */
export async function endSession(scope: Scope, user: string, id: string): Promise<boolean> {
  return (await sessions(scope).deleteOne({ _id: id, user })).deletedCount === 1;
}

/** Ends the session that a secret belongs to. Returns its user, or null when there is no such session. */
export async function endSessionOf(scope: Scope, id: string, hash: string): Promise<string | null> {
  const session = await sessions(scope).findOne({ _id: id });
  const isIt = session !== null && [session.hash, session.previous ?? ''].some((known) => hashesMatch(known, hash));
  return isIt && (await endSession(scope, session.user, id)) ? session.user : null;
}

/** Ends all sessions of a person, except for `but`. */
export async function endSessions(scope: Scope, user: string, but?: string): Promise<void> {
  await sessions(scope).deleteMany({ user, ...(but === undefined ? {} : { _id: { $ne: but } }) });
}

/** Ends the sessions of a person that the provider of an organization began. */
export async function endSessionsWithin(scope: Scope, user: string, organization: string): Promise<void> {
  await sessions(scope).deleteMany({ user, organization });
}

export async function sweepSessions(scope: Scope): Promise<void> {
  await sessions(scope).deleteMany({ expiresAt: { $lte: scope.now() } });
}

function newSecret(id: string): { id: string; text: string; hash: string } {
  const text = formatSession(id, base62(randomBytes(36), 43));
  return { id, text, hash: createHash('sha256').update(text).digest('hex') };
}

function hashesMatch(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
