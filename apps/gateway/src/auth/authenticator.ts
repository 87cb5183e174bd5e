import { LRUCache } from 'lru-cache';
import { AppError, type Principal } from '@scriptorium/contracts';
import type { Keyring } from '@scriptorium/platform/keyring';
import { signPrincipal } from '@scriptorium/platform/signed-principal';
import type { Requester } from '../services/client.js';
import { followAnnouncements } from './announcements.js';
import { invalidToken, type Credential } from './credential.js';
import { issuers, type Found } from './issuers.js';

/** A caller with a valid token or session. */
export interface Caller {
  principal: Principal;
  /** The principal as services receive it: signed. */
  header: string;
  /** When the token expires, in milliseconds since 1970; `Infinity` if it does not. */
  expiresAt: number;
  /** What announcements name when the rights of this caller change. */
  subjects: readonly string[];
  /** Set for a session whose secret changed: its new text, for the cookie. */
  renewed?: string | undefined;
}

export interface Authenticator {
  /** The cached caller of a token, if it is up to date; needs no exchange. */
  known(token: string): Caller | undefined;
  /** Asks who issued it. Rejects with `unauthenticated`, or `unavailable` when there is no answer. */
  ask(token: string): Promise<Caller>;
  /** Takes an announcement of changed principals. */
  receive(bytes: Uint8Array): void;
}

export interface AuthenticatorDeps {
  client: Requester;
  /** Principals are signed with the first of them. */
  keys: Keyring;
  /** What the texts are; `token` unless set. */
  kind?: Credential['kind'];
  /** Monotonic, in milliseconds. */
  now?: () => number;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

const cacheSize = 10_000;
/** Characters of the principals in the cache: those of visitors have claims and spaces. */
const cacheCharacters = 32_000_000;
const cacheMs = 30_000;
/** Previews of change requests and revisions, which end in further ways than those that are announced. */
const previewMs = 1_000;
/** Exchanges with an issuer at a time, so that a flood of unknown tokens is refused early. */
const maxPending = 1_000;

/**
 * Finds the caller of a credential. Callers are cached for 30 s at most, and only while
 * announcements of the issuer come in without a gap.
 */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const clock = deps.clock ?? Date.now;
  const cache = createCallerCache();
  const exchanges = shareExchanges(async (token) => {
    const generation = cache.generation();
    const found = await issuers[deps.kind ?? 'token']({ client: deps.client, keys: deps.keys, now: clock }, token);
    const caller = callerOf(found, deps.keys, clock());
    // If something changed meanwhile, the answer may be from before the change.
    if (cache.generation() === generation) cache.set(token, caller);
    return caller;
  });
  const forget = (subjects: readonly string[] | 'all'): void => {
    cache.forget(subjects);
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

/**
 * Makes one exchange for all requests with the same token at the same time. After `restart` nobody joins an exchange
 * that began before it.
 */
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

/**
 * What announcements name when the rights of a caller change: the user, or the organization whose site a visitor reads.
 */
function subjectOf(principal: Principal): string {
  return principal.kind === 'visitor' ? principal.organization : principal.id;
}

function isPreview(principal: Principal): boolean {
  return principal.kind === 'visitor' && principal.visitor.preview !== undefined;
}

/** Callers by token, with an index by what announcements name. */
function createCallerCache() {
  const bySubject = new Map<string, Set<string>>();
  let generation = 0;
  const callers = new LRUCache<string, Caller>({
    max: cacheSize,
    maxSize: cacheCharacters,
    sizeCalculation: ({ header }, token) => header.length + token.length,
    ttl: cacheMs,
    dispose: ({ subjects }, token) => {
      for (const subject of subjects) {
        const tokens = bySubject.get(subject);
        tokens?.delete(token);
        if (tokens?.size === 0) bySubject.delete(subject);
      }
    },
  });
  return {
    generation: () => generation,
    get: (token: string) => callers.get(token),
    set(token: string, caller: Caller) {
      callers.set(token, caller, { ttl: isPreview(caller.principal) ? previewMs : cacheMs });
      for (const subject of caller.subjects) bySubject.set(subject, (bySubject.get(subject) ?? new Set()).add(token));
    },
    forget(subjects: readonly string[] | 'all') {
      generation += 1;
      if (subjects === 'all') callers.clear();
      else for (const token of subjects.flatMap((one) => [...(bySubject.get(one) ?? [])])) callers.delete(token);
    },
  };
}

/** @throws `unauthenticated` without a principal */
function callerOf({ principal, subjects = [], renewed }: Found, keys: Keyring, now: number): Caller {
  if (principal === null) throw invalidToken();
  const { expiresAt } = principal.token;
  return {
    principal,
    header: signPrincipal(keys, principal, now),
    subjects: [subjectOf(principal), ...subjects],
    expiresAt: expiresAt === undefined ? Infinity : Date.parse(expiresAt),
    ...(renewed === undefined ? {} : { renewed }),
  };
}
