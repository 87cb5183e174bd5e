/** An answer as the bytes that go out, so that one that was made before costs nothing again. `T` is what it says. */
export class Rendered<T> {
  declare readonly says: T;
  readonly json: Uint8Array;

  constructor(json: Uint8Array) {
    this.json = json;
  }

  static of<T>(answer: T): Rendered<T> {
    return new Rendered<T>(Buffer.from(JSON.stringify(answer)));
  }
}
