import { AppError, type PublishedContent, type PublishedRedirect } from '@scriptorium/contracts';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { Api } from './api.js';
import { carriedQuery, type Visitor } from './visitor.js';

/** Somebody was let into a site. `context`: under what answers may be kept. */
export interface Entered {
  content: PublishedContent;
  context: string;
}

/** What an address leads to. */
export type Resolved = { redirect: PublishedRedirect } | Entered;

/** Finds what addresses lead to. Answers are kept as long as they say, and those that lead elsewhere for a moment. */
export interface Resolver {
  /**
   * What an address leads to, as it was answered at most `maxAgeMs` ago.
   * @throws AppError `not_found`, `visitor_auth_required`
   */
  resolve(visitor: Visitor, maxAgeMs?: number): Promise<Resolved>;
  /**
   * What an address leads to at which no page was found: asked anew, unless that was told since `began` (ms since
   * 1970) or has been known for a moment. So a page that has just moved is found at once.
   */
  resolveMissing(visitor: Visitor, began: number): Promise<Resolved>;
  /**
   * How a visitor was let into the site that an address is on, by another address of it, as long as the token is good.
   */
  enteredAt(visitor: Visitor): Entered | undefined;
  /** Forgets answers whose token is not accepted any more. */
  forget(visitor: Visitor): void;
}

/** Of each of the two caches: answers, and their bytes, most of which are tokens. */
const kept = { max: 20_000, maxSize: 32 * 1024 * 1024 };
/** How long it is believed that there is no page at an address, and that it leads elsewhere. */
export const missingMs = 2_000;
/** Content tokens are good for an hour. */
const longestKeptMs = 50 * 60_000;

interface KeptAnswer {
  resolved: Resolved;
  askedAt: number;
  /** How long it may be used. */
  ms: number;
  /** No page was found there, since it was asked. */
  isMissing?: boolean;
}

/** `now`: ms since 1970. */
export function createResolver(api: Pick<Api, 'post'>, now: () => number = Date.now): Resolver {
  const answers = new LRUCache<string, KeptAnswer>({ ...kept, sizeCalculation: ({ resolved }) => bytesOf(resolved) });
  const sites = new LRUCache<string, Entered>({ ...kept, sizeCalculation: bytesOf, ttl: longestKeptMs });
  const resolve: Resolver['resolve'] = async (visitor, maxAgeMs = longestKeptMs) => {
    const askedAt = now();
    const known = answers.get(keyOf(visitor));
    if (known !== undefined && askedAt - known.askedAt < Math.min(known.ms, maxAgeMs)) return known.resolved;
    const answer = await askAbout(api, visitor);
    const resolved = 'redirect' in answer.body ? { redirect: answer.body } : withContext(answer.body, visitor.address);
    const ms = Math.min(answer.freshMs, 'redirect' in resolved ? missingMs : longestKeptMs);
    if (ms > 0) answers.set(keyOf(visitor), { resolved, askedAt, ms });
    if ('content' in resolved && !isPreview(resolved.content))
      sites.set(siteKey(visitor, resolved.content.siteBasePath), resolved);
    return resolved;
  };
  return {
    resolve,
    async resolveMissing(visitor, began) {
      const known = answers.get(keyOf(visitor));
      const isTold = known !== undefined && (known.askedAt >= began || isBelieved(known, now()));
      const resolved = isTold ? known.resolved : await resolve(visitor, 0);
      const kept = answers.get(keyOf(visitor));
      if (kept !== undefined) kept.isMissing = true;
      return resolved;
    },
    enteredAt: (visitor) =>
      basesOf(visitor.address)
        .map((base) => sites.get(siteKey(visitor, base)))
        .find((found) => found !== undefined),
    forget(visitor) {
      answers.delete(keyOf(visitor));
      for (const base of basesOf(visitor.address)) sites.delete(siteKey(visitor, base));
    },
  };
}

function askAbout({ post }: Pick<Api, 'post'>, { address, token, from, signal }: Visitor) {
  const body = { url: address.href, ...(token === undefined ? {} : { visitor: { jwtToken: token } }) };
  return post<PublishedContent | PublishedRedirect>('/urls/published', body, { visitor: from, signal });
}

/** Whether it was known a moment ago that there is no page. */
function isBelieved({ isMissing = false, askedAt }: KeptAnswer, now: number): boolean {
  return isMissing && now - askedAt < missingMs;
}

/** The token of a preview of content opens nothing else of the site. */
function isPreview({ changeRequest, revision }: PublishedContent): boolean {
  return changeRequest !== undefined || revision !== undefined;
}

const bytesOfAnswer = 1_000;

function bytesOf(resolved: Resolved): number {
  return bytesOfAnswer + ('content' in resolved ? resolved.content.apiToken.length : resolved.redirect.redirect.length);
}

function withContext(content: PublishedContent, address: URL): Resolved {
  const { site, contextId = '', changeRequest = '', revision = '', apiToken } = content;
  // A preview of a site shows what a member may see; its answers are kept for that address alone.
  const draft = address.searchParams.has('preview') ? apiToken : '';
  return { content, context: [site, contextId, changeRequest, revision, draft].join(' ') };
}

function keyOf({ address, token = '' }: Visitor): string {
  return digest(token, address.href);
}

/**
 * Whoever has the same token, and the same claims in the address, is shown the same of a site. A token in the address
 * is one, too: what it opens is not open to those who come without it.
 */
function siteKey({ address, token = '' }: Visitor, base: string): string {
  return digest(token, address.searchParams.get('jwt_token') ?? '', address.origin, carriedQuery(address), base);
}

function digest(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Parts of a path that may name a site. */
const mostParts = 5;

/** The paths at which the site of an address may begin, the longest first. */
function basesOf({ pathname }: URL): string[] {
  const parts = pathname.split('/').slice(1, -1);
  const depths = Array.from({ length: Math.min(parts.length, mostParts) + 1 }, (_, depth) => depth).reverse();
  return depths.map((depth) => ['', ...parts.slice(0, depth), ''].join('/'));
}

/** Whether somebody has to be told to try again, since a token has ended. */
export function isEnded(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'unauthenticated';
}
