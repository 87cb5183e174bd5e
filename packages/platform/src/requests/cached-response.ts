import { entityTag } from './entity-tag.js';

/** An answer as the bytes that go out, so that one that was made before costs nothing again. `T` is what it says. */
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
