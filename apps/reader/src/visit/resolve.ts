import { AppError, type PublishedContent, type PublishedRedirect } from '@scriptorium/contracts';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { Api } from './api.js';
import type { Visitor } from './visitor.js';

/** What an address leads to. `contextId` of `entered`: under what answers may be kept. */
export type Resolved = { redirect: PublishedRedirect } | { content: PublishedContent; context: string };

/** Finds what addresses lead to. Answers are kept as long as they say. */
export interface Resolver {
  /** @throws AppError `not_found`, `visitor_auth_required` */
  resolve(visitor: Visitor): Promise<Resolved>;
  /** Forgets an answer whose token is not accepted any more. */
  forget(visitor: Visitor): void;
}

const mostKept = 20_000;
/** Content tokens are good for an hour. */
const longestKeptMs = 50 * 60_000;

export function createResolver(api: Pick<Api, 'post'>): Resolver {
  const kept = new LRUCache<string, Resolved>({ max: mostKept });
  return {
    forget: (visitor) => void kept.delete(keyOf(visitor)),
    async resolve(visitor) {
      const { address, token, from, signal } = visitor;
      const known = kept.get(keyOf(visitor));
      if (known !== undefined) return known;
      const body = { url: address.href, ...(token === undefined ? {} : { visitor: { jwtToken: token } }) };
      const answer = await api.post<PublishedContent | PublishedRedirect>('/urls/published', body, {
        visitor: from,
        signal,
      });
      const resolved = 'redirect' in answer.body ? { redirect: answer.body } : withContext(answer.body, address);
      const ttl = Math.min(answer.freshMs, longestKeptMs);
      if (ttl > 0) kept.set(keyOf(visitor), resolved, { ttl });
      return resolved;
    },
  };
}

function withContext(content: PublishedContent, address: URL): Resolved {
  const { site, contextId = '', changeRequest = '', revision = '', apiToken } = content;
  // A preview of a site shows what a member may see; its answers are kept for that address alone.
  const draft = address.searchParams.has('preview') ? apiToken : '';
  return { content, context: [site, contextId, changeRequest, revision, draft].join(' ') };
}

function keyOf({ address, token = '' }: Visitor): string {
  return createHash('sha256').update(`${token}\n${address.href}`).digest('base64url');
}

/** Whether somebody has to be told to try again, since a token has ended. */
export function isEnded(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'unauthenticated';
}
