const kept = 50;

/** What must not happen, as it is found; and counts of what may. */
export class Findings {
  readonly #found: string[] = [];
  readonly #counts = new Map<string, number>();
  #more = 0;

  /** Something that must not happen. */
  report(text: string): void {
    if (this.#found.length < kept) this.#found.push(text);
    else this.#more += 1;
  }

  count(what: string, by = 1): void {
    this.#counts.set(what, this.of(what) + by);
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  get counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  get found(): string[] {
    return this.#more === 0 ? [...this.#found] : [...this.#found, `and ${this.#more} more`];
  }
}
