import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  AppError,
  authenticateSession,
  authenticateToken,
  parseSession,
  parseToken,
  type InternalOperation,
  type Principal,
} from '@scriptorium/contracts';
import type { Keyring } from '@scriptorium/platform/keyring';
import { signPrincipal } from '@scriptorium/platform/signed-principal';
import type * as z from 'zod';
import type { Requester } from '../services/requester.js';
import { followAnnouncements } from './announcements.js';
import { hashSession } from './session-cookie.js';

/** A caller with a valid token or session. */
export interface Caller {
  principal: Principal;
  /** The principal as services receive it: signed. */
  header: string;
  /** When the token expires, in milliseconds since 1970; `Infinity` if it does not. */
  expiresAt: number;
  /** Set for a session whose secret changed: its new text, for the cookie. */
  renewed?: string | undefined;
}

export interface Authenticator {
  /** The cached caller of a token, if it is up to date; needs no exchange. */
  known(token: string): Caller | undefined;
  /** Asks identity. Rejects with `unauthenticated`, or `unavailable` when there is no answer. */
  ask(token: string): Promise<Caller>;
  /** Takes an announcement of changed principals. */
  receive(bytes: Uint8Array): void;
}

export interface AuthenticatorDeps {
  client: Requester;
  /** Principals are signed with the first of them. */
  keys: Keyring;
  /** What the texts are; `token` unless set. */
  kind?: 'token' | 'session';
  /** Monotonic, in milliseconds. */
  now?: () => number;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

const cacheSize = 10_000;
const cacheMs = 30_000;
/** Exchanges with identity at a time, so that a flood of unknown tokens is refused early. */
const maxPending = 1_000;

/**
 * Finds the caller of a bearer token, or of a session. Only the SHA-256 of it leaves the process. Callers are cached for 30 s
 * at most, and only while announcements of identity come in without a gap.
 */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const clock = deps.clock ?? Date.now;
  const cache = createCallerCache();
  const exchanges = shareExchanges(async (token) => {
    const generation = cache.generation();
    const found = await (deps.kind === 'session' ? askForSession : askForToken)(deps.client, token);
    const caller = callerOf(found, deps.keys, clock());
    // If something changed meanwhile, the answer may be from before the change.
    if (cache.generation() === generation) cache.set(token, caller);
    return caller;
  });
  const forget = (users: readonly string[] | 'all'): void => {
    cache.forget(users);
    exchanges.restart();
  };
  const listener = { changed: forget, lost: () => forget('all') };
  const announcements = followAnnouncements(listener, deps.now);

  return {
    known(token) {
      const caller = announcements.fresh() ? cache.get(token) : undefined;
      return caller !== undefined && clock() < caller.expiresAt ? caller : undefined;
    },
    async ask(token) {
      const caller = await exchanges.ask(token);
      if (clock() >= caller.expiresAt) throw invalidToken();
      return caller;
    },
    receive: (bytes) => announcements.receive(bytes),
  };
}

/** Makes one exchange for all requests with the same token at the same time. After `restart` nobody joins an exchange that began before it. */
function shareExchanges(exchange: (token: string) => Promise<Caller>) {
  const open = new Map<string, Promise<Caller>>();
  let running = 0;
  const start = (token: string): Promise<Caller> => {
    running += 1;
    const asked = exchange(token).finally(() => {
      running -= 1;
      if (open.get(token) === asked) open.delete(token);
    });
    open.set(token, asked);
    return asked;
  };
  return {
    restart: () => open.clear(),
    async ask(token: string): Promise<Caller> {
      const asked = open.get(token);
      if (asked !== undefined) return asked;
      if (running >= maxPending) throw new AppError('unavailable', [], { retryAfter: 1 });
      return start(token);
    },
  };
}

/** Callers by token, with an index by user. */
function createCallerCache() {
  const byUser = new Map<string, Set<string>>();
  let generation = 0;
  const callers = new LRUCache<string, Caller>({
    max: cacheSize,
    ttl: cacheMs,
    dispose: ({ principal }, token) => {
      const tokens = byUser.get(principal.id);
      tokens?.delete(token);
      if (tokens?.size === 0) byUser.delete(principal.id);
    },
  });
  return {
    generation: () => generation,
    get: (token: string) => callers.get(token),
    set(token: string, caller: Caller) {
      callers.set(token, caller);
      const tokens = byUser.get(caller.principal.id) ?? new Set();
      byUser.set(caller.principal.id, tokens.add(token));
    },
    forget(users: readonly string[] | 'all') {
      generation += 1;
      if (users === 'all') callers.clear();
      else for (const token of users.flatMap((user) => [...(byUser.get(user) ?? [])])) callers.delete(token);
    },
  };
}

interface Found {
  principal: Principal | null;
  renewed?: string | undefined;
}

async function askForToken(client: Requester, token: string): Promise<Found> {
  const parsed = parseToken(token);
  if (parsed === null) throw invalidToken();
  const hash = createHash('sha256').update(token).digest('hex');
  return ask(client, authenticateToken, { ...parsed, hash });
}

async function askForSession(client: Requester, session: string): Promise<Found> {
  const id = parseSession(session);
  if (id === null) throw invalidToken();
  return ask(client, authenticateSession, { id, hash: hashSession(session) });
}

/** @throws `unauthenticated` without a principal */
function callerOf({ principal, renewed }: Found, keys: Keyring, now: number): Caller {
  if (principal === null) throw invalidToken();
  const { expiresAt } = principal.token;
  return {
    principal,
    header: signPrincipal(keys, principal, now),
    expiresAt: expiresAt === undefined ? Infinity : Date.parse(expiresAt),
    ...(renewed === undefined ? {} : { renewed }),
  };
}

async function ask<I extends z.ZodType, R extends z.ZodType>(
  client: Requester,
  op: InternalOperation<I, R>,
  input: z.input<I>,
): Promise<z.output<R>> {
  try {
    const { body } = await client.request({
      service: op.service,
      operation: op.id,
      body: Buffer.from(JSON.stringify(input)),
      headers: {},
      timeoutMs: op.deadlineMs,
      // A session gets its new secret only once, so that exchange must not be sent twice.
      reads: op.id === authenticateToken.id,
    });
    return op.response.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch (cause) {
    // Without an answer the caller can be neither accepted nor refused.
    throw new AppError('unavailable', [], { cause, retryAfter: 1 });
  }
}

function invalidToken(): AppError {
  return new AppError('unauthenticated', [], { message: 'Invalid token' });
}

const bearer = /^bearer +(\S+) *$/i;

/** The token of an `Authorization` header. @throws `unauthenticated` without a header, or for another scheme than Bearer */
export function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new AppError('unauthenticated');
  const token = header.startsWith('Bearer ') ? header.slice(7).trim() : bearer.exec(header)?.[1];
  if (token === undefined) throw invalidToken();
  return token;
}
