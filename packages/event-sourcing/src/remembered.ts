import { LRUCache } from 'lru-cache';
import { type Clock } from './time.js';

/** Changes with what was read; `undefined` while it cannot be told whether it did. */
export type Version = () => string | undefined;

interface Entry<T> {
  value: T;
  version: string;
  until: number;
}

export interface Remembered<T extends object | null> {
  /** What `make` gave for this key, if that still holds; otherwise `make` is called, once for all who ask in the 5 s after. */
  get(key: string, version: Version, make: () => Promise<T>): Promise<T>;
}

/** Announcements are heard at once; should one get lost, an answer is this much (ms) too old at most. */
const believedFor = 1_000;

/** Who asks when a value has been in the making for this long (ms) does not wait for it, but has one made. */
const makingLasts = 5_000;

/** Of a key, which may be long and is sent by callers where it holds a cursor. */
const bytesPerUnit = 2;

export interface RememberedBounds<T> {
  /** Values. */
  max: number;
  /** Bytes of one value, where values differ much in size, and of all together with their keys. */
  size?: { of: (value: T) => number; max: number };
}

/** Remembers values within bounds, for as long as their version stays the same. They are shared: nobody may change one. */
export function createRemembered<T extends object | null>({ max, size }: RememberedBounds<T>, clock: Clock): Remembered<T> {
  const sized = size === undefined ? {} : { maxSize: size.max, sizeCalculation: ({ value }: Entry<T>, key: string) => Math.max(1, size.of(value) + key.length * bytesPerUnit) };
  const entries = new LRUCache<string, Entry<T>>({ max, ...sized });
  const making = new Map<string, { version: string; value: Promise<T>; until: number }>();
  return {
    get(key, version, make) {
      const asOf = version();
      if (asOf === undefined) return make();
      const entry = entries.get(key);
      if (entry !== undefined && entry.version === asOf && clock.monotonic() < entry.until) return Promise.resolve(entry.value);
      const begun = making.get(key);
      if (begun?.version === asOf && clock.monotonic() < begun.until) return begun.value;
      const isNewest = (): boolean => making.get(key)?.value === value;
      const value = make().then(
        (made) => {
          if (!isNewest()) return made;
          entries.set(key, { value: made, version: asOf, until: clock.monotonic() + believedFor });
          making.delete(key);
          return made;
        },
        (error: unknown) => {
          if (isNewest()) making.delete(key);
          throw error;
        },
      );
      making.set(key, { version: asOf, value, until: clock.monotonic() + makingLasts });
      return value;
    },
  };
}
