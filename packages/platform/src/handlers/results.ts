import { entityTag, cachedTag } from './entity-tag.js';

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
export function nextIn(answer: unknown): string | undefined {
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
