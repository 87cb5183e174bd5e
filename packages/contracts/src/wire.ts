import type { Principal } from './access.js';

/**
 * Headers of a request between gateway and services, and of its reply. The body of both is JSON: the input
 * `{ params, query, body }` one way, the response body the other.
 */
export const wireHeader = {
  requestId: 'request-id',
  /** The caller as JSON; absent for anonymous operations and internal exchanges. */
  principal: 'principal',
  /** `Idempotency-Key` as the client sent it. */
  idempotencyKey: 'idempotency-key',
  /** Entity tags of which the resource must have one, as `If-Match` lists them without quotes; `*` for any. */
  ifMatch: 'if-match',
  /** Log position that the answer must not be older than. */
  after: 'after',
  /** `true`: decide and answer, record nothing. */
  dryRun: 'dry-run',
  /** Trace context of the caller (W3C). */
  traceparent: 'traceparent',
  /** Of an anonymous operation: the address of the client, as far as the gateway knows it. */
  clientAddress: 'client-address',
  /** Of an anonymous operation: what the client calls itself. */
  clientAgent: 'client-agent',
  /** Of an anonymous operation: `id.hash` of the session in the client's cookie. Reply: the session to set; empty to forget it. */
  session: 'session',
  /** Of an operation for browsers: SHA-256 of the cookie by which the gateway knows this one again. */
  browser: 'browser',
  /** Reply: the HTTP status when it is not the operation's own. */
  status: 'status',
  /** Reply: `Location` of a created object, or where a browser goes on. */
  location: 'location',
  /** Reply: entity tag of what is answered, without quotes. */
  etag: 'etag',
  /** Reply: log position of the last event that the request recorded. */
  position: 'position',
  /** Reply: `true` when this was answered before, to the same idempotency key. */
  replayed: 'replayed',
} as const;

/** Subject suffix on which identity announces changes of principals (ruling 12). */
export const principalChanges = 'identity.principals';

/**
 * One announcement on `principalChanges`; a beat carries no changes. Sequences of one epoch have no gaps, a new
 * epoch means the announcer is a new process.
 */
export interface PrincipalChange {
  epoch: string;
  sequence: number;
  /** Users whose tokens or rights changed; a cached principal of theirs is asked again. */
  users: string[];
}

/** Reads a principal header; null where there is none. */
export function parsePrincipal(header: string | undefined): Principal | null {
  return header === undefined || header === '' ? null : (JSON.parse(header) as Principal);
}
