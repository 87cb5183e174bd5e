import { entityTag } from './entity-tag.js';

/** An encoded answer, so that a cached one need not be encoded again. `T` is the type of its content. */
export class CachedResponse<T> {
  declare readonly says: T;
  readonly json: Uint8Array;
  #tag: string | undefined;

  constructor(json: Uint8Array) {
    this.json = json;
  }

  static of<T>(answer: T): CachedResponse<T> {
    return new CachedResponse<T>(Buffer.from(JSON.stringify(answer)));
  }

  get tag(): string {
    return (this.#tag ??= entityTag(this.json));
  }
}
