import { createHash } from 'node:crypto';
import { isList, leastDigestedBytes, wireHeader, type InternalOperation, type Operation } from '@scriptorium/contracts';
import type { WireReply } from './exchange.js';

/** Characters of an entity tag. */
export const tagLength = 22;

/** The entity tag of an answer, without quotes. It depends only on the bytes. */
function entityTag(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, tagLength);
}

const tagCache = new WeakMap<Uint8Array, string>();

/** The same for bytes that are asked about again and do not change: they are hashed once. */
export function cachedTag(body: Uint8Array): string {
  const known = tagCache.get(body);
  if (known !== undefined) return known;
  const tag = entityTag(body);
  tagCache.set(body, tag);
  return tag;
}

/** An encoded answer, so that a cached one need not be encoded again. `T` is the type of its content. */
export class CachedResponse<T> {
  declare readonly says: T;
  readonly json: Uint8Array;
  /** The cursor of the next page, of a list that has one. */
  readonly next: string | undefined;
  readonly #tag: string | undefined;

  constructor(json: Uint8Array, tag?: string, next?: string) {
    this.json = json;
    this.#tag = tag;
    this.next = next;
  }

  static of<T>(answer: T | CachedResponse<T>): CachedResponse<T> {
    return answer instanceof CachedResponse
      ? answer
      : new CachedResponse<T>(Buffer.from(JSON.stringify(answer)), undefined, nextIn(answer));
  }

  /** An answer whose entity tag is made of what it shows, and not of its bytes. */
  static tagged<T>(answer: T, shows: unknown): CachedResponse<T> {
    const tag = entityTag(Buffer.from(JSON.stringify(shows)));
    return new CachedResponse<T>(Buffer.from(JSON.stringify(answer)), tag, nextIn(answer));
  }

  /** The entity tag alone, for a call that wants nothing else. */
  static tagOnly<T>(shows: unknown): CachedResponse<T> {
    return new CachedResponse<T>(new Uint8Array(), entityTag(Buffer.from(JSON.stringify(shows))));
  }

  get tag(): string {
    return this.#tag ?? cachedTag(this.json);
  }
}

/**
 * The cursor of the next page in an answer. A list that can be followed always has a cursor, and says in `more` whether
 * there is a further page.
 */
function nextIn(answer: unknown): string | undefined {
  const { next, more = true } = (answer ?? {}) as { next?: { page?: string }; more?: boolean | number };
  return more === false ? undefined : next?.page;
}

/** The result of a handler that redirects a browser. */
export class Redirect {
  /** `location`: the target, in visible ASCII. */
  constructor(readonly location: string) {}
}

/** The result of a handler that also sets or removes the session cookie of the client. */
export class WithSession<T> {
  constructor(
    readonly result: T,
    /** The text of the session to set; null removes the cookie. */
    readonly session: string | null,
  ) {}
}

/** The result of a handler that also says with which status it is answered, and what stands in headers. */
export class Reply<T> {
  constructor(
    readonly result: T,
    /**
     * `status`: 204 for an answer without a body, 201 of an operation that may create, 200 when what was to be created
     * was there. `location`: the address of what was created. `waited`: the answer has waited for work in the
     * background. `maxAgeSeconds`: how long it may be used again, if that is shorter than the operation says.
     */
    readonly told: { status?: 200 | 201 | 204; location?: string; waited?: boolean; maxAgeSeconds?: number },
  ) {}
}

const empty = new Uint8Array();

/** Encodes the result of a handler into bytes and headers. */
export function encode(op: Operation | InternalOperation, result: unknown): WireReply {
  if (result instanceof WithSession) {
    const { body, headers } = encode(op, result.result);
    return { body, headers: { ...headers, [wireHeader.session]: result.session ?? '' } };
  }
  if (result instanceof Reply) return replied(op, result);
  if ('internal' in op) return { body: Buffer.from(JSON.stringify(result)) };
  if (result instanceof Redirect) return { body: empty, headers: { [wireHeader.location]: result.location } };
  if (op.method === 'DELETE') return deleted(result === true);
  if (op.response === undefined) return { body: empty };
  if (result instanceof CachedResponse)
    return { body: result.json, headers: { [wireHeader.etag]: result.tag, ...nextPage(op, result.next) } };
  const body = Buffer.from(JSON.stringify(result));
  if (op.method === 'GET')
    return { body, headers: { [wireHeader.etag]: cachedTag(body), ...nextPage(op, nextIn(result)) } };
  const location = op.status === 201 ? (result as { urls?: { location?: string } }).urls?.location : undefined;
  return location === undefined ? { body } : { body, headers: { [wireHeader.location]: location } };
}

/** The header with the cursor of the next page of a list. */
function nextPage(op: Operation, next: string | undefined): Record<string, string> {
  return next === undefined || !isList(op) ? {} : { [wireHeader.next]: next };
}

function replied(op: Operation | InternalOperation, { result, told }: Reply<unknown>): WireReply {
  const { status, location, waited, maxAgeSeconds } = told;
  const headers = status === undefined ? {} : { [wireHeader.status]: String(status) };
  if (status === 204) return { body: empty, headers };
  const reply = encode(op, result);
  return {
    ...reply,
    headers: {
      // Nothing was created.
      ...(status === 200 ? {} : reply.headers),
      ...headers,
      ...(location !== undefined && { [wireHeader.location]: location }),
      ...(waited === true && { [wireHeader.waited]: 'true' }),
      ...(maxAgeSeconds !== undefined && { [wireHeader.maxAge]: String(maxAgeSeconds) }),
    },
  };
}

/**
 * The reply to a read, without its body when the gateway has the same bytes. `known`: their digest, as the gateway told
 * it.
 */
export function unlessKnown(reply: WireReply, known: string | undefined): WireReply {
  const { body, headers } = reply;
  if (body.length < leastDigestedBytes) return reply;
  const digest = cachedTag(body);
  return { body: digest === known ? empty : body, headers: { ...headers, [wireHeader.digest]: digest } };
}

/** The reply to a DELETE: 205 when something was deleted, otherwise 204. */
export function deleted(something: boolean): WireReply {
  return { body: empty, headers: { [wireHeader.status]: something ? '205' : '204' } };
}
