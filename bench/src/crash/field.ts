/** What a field may hold: the value written last, and values of later writes whose outcome nobody told. */
export class Field<T> {
  #values: T[];

  constructor(value: T) {
    this.#values = [value];
  }

  /** A write was acknowledged: nothing else is right any more. */
  settle(value: T): void {
    this.#values = [value];
  }

  /** A write may have happened. */
  doubt(value: T): void {
    this.#values.push(value);
  }

  /** Another field that may hold the same. */
  copy(): Field<T> {
    const copy = new Field(this.#values[0] as T);
    for (const value of this.#values.slice(1)) copy.doubt(value);
    return copy;
  }

  allows(value: T): boolean {
    return this.#values.includes(value);
  }

  /** The value when it is certain. */
  get certain(): { value: T } | undefined {
    return this.#values.length === 1 ? { value: this.#values[0] as T } : undefined;
  }

  toString(): string {
    return this.#values.map((value) => JSON.stringify(value)).join(' or ');
  }
}
