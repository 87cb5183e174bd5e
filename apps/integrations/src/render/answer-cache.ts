interface Entry<T> {
  value: T;
  bytes: number;
  until: number;
}

/**
 * What scripts have rendered and allow to be shown again, up to a number of bytes. What was not used for the longest
 * time leaves first. `now`: ms.
 */
export class AnswerCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #mostBytes: number;
  readonly #now: () => number;
  #bytes = 0;

  constructor({ mostBytes, now }: { mostBytes: number; now: () => number }) {
    this.#mostBytes = mostBytes;
    this.#now = now;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#drop(key, entry);
    if (entry.until <= this.#now()) return undefined;
    this.#keep(key, entry);
    return entry.value;
  }

  set(key: string, value: T, { bytes, forMs }: { bytes: number; forMs: number }): void {
    const before = this.#entries.get(key);
    if (before !== undefined) this.#drop(key, before);
    if (bytes > this.#mostBytes) return;
    this.#keep(key, { value, bytes, until: this.#now() + forMs });
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest, entry);
    }
  }

  /** The bytes of all that is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  #keep(key: string, entry: Entry<T>): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #drop(key: string, { bytes }: Entry<T>): void {
    this.#entries.delete(key);
    this.#bytes -= bytes;
  }
}

/** For whom an answer may be shown again, and for how long. */
export interface Reuse {
  isPrivate: boolean;
  forMs: number;
}

const longestSeconds = 7 * 24 * 3_600;

/** What `Cache-Control` of an answer allows; `undefined`: nothing. Pure. */
export function reuseOf(cacheControl: string | undefined): Reuse | undefined {
  const directives = (cacheControl ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim());
  if (directives.includes('no-store') || directives.includes('no-cache')) return undefined;
  const [, digits = ''] = directives.map((one) => /^max-age=(\d{1,9})$/.exec(one)).find((one) => one !== null) ?? [];
  const seconds = Math.min(Number(digits), longestSeconds);
  return seconds > 0 ? { isPrivate: directives.includes('private'), forMs: seconds * 1_000 } : undefined;
}
