import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError, authenticateSession, authenticateToken, parseSession, parseToken, type InternalOperation, type Principal } from '@scriptorium/contracts';
import type * as z from 'zod';
import type { Requester } from '../ports.js';
import { followAnnouncements } from './announcements.js';
import { hashSession } from './session-cookie.js';

/** A caller whose token was found good. */
export interface Caller {
  principal: Principal;
  /** The principal as services receive it. */
  header: string;
  /** Milliseconds since 1970 when the token ends; `Infinity` without an end. */
  expiresAt: number;
  /** Of a session whose secret changed: its new text, to be set. */
  renewed?: string | undefined;
}

export interface Authenticator {
  /** The caller of a token if that is known for sure right now; costs no exchange. */
  known(token: string): Caller | undefined;
  /** Asks identity. Rejects with `unauthenticated`, or `unavailable` when there is no answer. */
  ask(token: string): Promise<Caller>;
  /** Takes an announcement of changed principals. */
  receive(bytes: Uint8Array): void;
}

export interface AuthenticatorDeps {
  client: Requester;
  /** Personal tokens unless told otherwise. */
  kind?: 'token' | 'session';
  /** Monotonic, in milliseconds. */
  now?: () => number;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

const cacheSize = 10_000;
const cacheMs = 30_000;
/** Questions open at a time; a flood of unknown tokens waits for no more than that. */
const maxPending = 1_000;

/**
 * Finds the caller of a bearer token, or of a session's cookie. Only its SHA-256 leaves the process; answers are kept for 30 s at most,
 * and no longer than identity's announcements vouch for them (ruling 12).
 */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const clock = deps.clock ?? Date.now;
  const memory = createMemory();
  const questions = shareQuestions(async (token) => {
    const generation = memory.generation();
    const caller = await (deps.kind === 'session' ? askForSession : askForToken)(deps.client, token);
    // Kept only if nothing changed meanwhile: the answer may be from before the change.
    if (memory.generation() === generation) memory.keep(token, caller);
    return caller;
  });
  const forget = (users: readonly string[] | 'all'): void => {
    memory.forget(users);
    questions.restart();
  };
  const listener = { changed: forget, lost: () => forget('all') };
  const announcements = followAnnouncements(listener, deps.now);

  return {
    known(token) {
      const caller = announcements.fresh() ? memory.find(token) : undefined;
      return caller !== undefined && clock() < caller.expiresAt ? caller : undefined;
    },
    async ask(token) {
      const caller = await questions.ask(token);
      if (clock() >= caller.expiresAt) throw invalidToken();
      return caller;
    },
    receive: (bytes) => announcements.receive(bytes),
  };
}

/** Asks once for those who ask the same at the same time. After `restart` nobody joins a question asked before it. */
function shareQuestions(question: (token: string) => Promise<Caller>) {
  const open = new Map<string, Promise<Caller>>();
  let running = 0;
  const start = (token: string): Promise<Caller> => {
    running += 1;
    const asked = question(token).finally(() => {
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

/** Callers by token, with an index that forgets all tokens of a user. */
function createMemory() {
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
    find: (token: string) => callers.get(token),
    keep(token: string, caller: Caller) {
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

async function askForToken(client: Requester, token: string): Promise<Caller> {
  const parsed = parseToken(token);
  if (parsed === null) throw invalidToken();
  const hash = createHash('sha256').update(token).digest('hex');
  const { principal } = await ask(client, authenticateToken, { ...parsed, hash });
  return callerOf(principal);
}

async function askForSession(client: Requester, session: string): Promise<Caller> {
  const id = parseSession(session);
  if (id === null) throw invalidToken();
  const { principal, renewed } = await ask(client, authenticateSession, { id, hash: hashSession(session) });
  return { ...callerOf(principal), ...(renewed === undefined ? {} : { renewed }) };
}

function callerOf(principal: Principal | null): Caller {
  if (principal === null) throw invalidToken();
  const { expiresAt } = principal.token;
  return {
    principal,
    header: JSON.stringify(principal),
    expiresAt: expiresAt === undefined ? Infinity : Date.parse(expiresAt),
  };
}

async function ask<I extends z.ZodType, R extends z.ZodType>(client: Requester, op: InternalOperation<I, R>, input: z.input<I>): Promise<z.output<R>> {
  try {
    const { body } = await client.request({
      service: op.service,
      operation: op.id,
      body: Buffer.from(JSON.stringify(input)),
      headers: {},
      timeoutMs: op.deadlineMs,
      // A session gets its new secret once.
      reads: op.id === authenticateToken.id,
    });
    return op.response.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch (cause) {
    // Whatever went wrong there, nothing is known of the caller: neither yes nor no.
    throw new AppError('unavailable', [], { cause, retryAfter: 1 });
  }
}

function invalidToken(): AppError {
  return new AppError('unauthenticated', [], { message: 'Invalid token' });
}

const bearer = /^bearer +(\S+) *$/i;

/** The token of an `Authorization` header. Throws `unauthenticated` when there is none, or not one for bearers. */
export function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new AppError('unauthenticated');
  const token = header.startsWith('Bearer ') ? header.slice(7).trim() : bearer.exec(header)?.[1];
  if (token === undefined) throw invalidToken();
  return token;
}
