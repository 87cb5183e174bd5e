/** Among what is left alone: all scripts. */
export const everything = '*';

/** Until when installations, integrations and webhooks are left alone, by the clock of this process. */
export class Pauses {
  readonly #until = new Map<string, number>();

  set(name: string, ms: number): void {
    this.#until.set(name, performance.now() + ms);
  }

  has(name: string): boolean {
    const until = this.#until.get(name);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#until.delete(name);
    return false;
  }

  /** What is left alone now, but for `everything`. */
  names(): string[] {
    return [...this.#until.keys()].filter((name) => this.has(name) && name !== everything);
  }

  /** How long it is until the first of them ends, ms; `Infinity` without any. */
  untilNext(): number {
    return Math.min(...[...this.#until.values()].map((until) => until - performance.now()));
  }
}
