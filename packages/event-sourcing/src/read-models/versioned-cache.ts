import { LRUCache } from 'lru-cache';
import { type Clock } from '../process/time.js';

/** Changes with what was read; `undefined` while it cannot be told whether it did. */
export type Version = () => string | undefined;

interface Entry<T> {
  value: T;
  version: string;
  until: number;
}

export interface VersionedCache<T extends object | null> {
  /**
   * What `make` gave for this key, if that still holds; otherwise `make` is called, once for all who ask in the 5 s
   * after.
   */
  get(key: string, version: Version, make: () => Promise<T>): Promise<T>;
}

/** The versions of things that values are made from, one behind the other; `undefined` while one cannot be told. */
export type VersionOf<D> = (dependencies: readonly D[]) => string | undefined;

export interface DependentCache<D, T extends object | null> {
  /**
   * What `make` gave for this key, as long as nothing has changed that it noted to be made from. `all`: everything that
   * could be noted.
   */
  get(key: string, make: (note: (dependency: D) => void) => Promise<T>): Promise<T>;
}

/** Announcements are heard at once; should one get lost, an answer is this much (ms) too old at most. */
const believedFor = 1_000;

/** Who asks when a value has been in the making for this long (ms) does not wait for it, but has one made. */
const makingLasts = 5_000;

/** Of a key, which may be long and is sent by callers where it holds a cursor. */
const bytesPerUnit = 2;

export interface CacheBounds<T> {
  /** Values. */
  max: number;
  /** Bytes of one value, where values differ much in size, and of all together with their keys. */
  size?: { of: (value: T) => number; max: number } | undefined;
}

/** Keeps values within bounds, for as long as their version stays the same. They are shared: nobody may change one. */
export function createVersionedCache<T extends object | null>(
  { max, size }: CacheBounds<T>,
  clock: Clock,
): VersionedCache<T> {
  const entries = boundedEntries<T, Entry<T>>({ max, size });
  const making = new Map<string, { version: string; value: Promise<T>; until: number }>();
  return {
    get(key, version, make) {
      const asOf = version();
      if (asOf === undefined) return make();
      const entry = entries.get(key);
      if (entry !== undefined && entry.version === asOf && clock.monotonic() < entry.until)
        return Promise.resolve(entry.value);
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

/** The entries of a cache, within its bounds; those that were not asked for longest go first. */
function boundedEntries<T, E extends { value: T }>({ max, size }: CacheBounds<T>): LRUCache<string, E & object> {
  const sized =
    size === undefined
      ? {}
      : {
          maxSize: size.max,
          sizeCalculation: ({ value }: E, key: string) => Math.max(1, size.of(value) + key.length * bytesPerUnit),
        };
  return new LRUCache<string, E & object>({ max, ...sized });
}

interface DependentEntry<D, T> extends Entry<T> {
  dependencies: readonly D[];
}

/**
 * Keeps values until something changes that they are made from, which is noted while they are made. `all`: everything
 * that can be noted. A value during whose making something changed is kept by the version before, so that it is made
 * anew.
 */
export function createDependentCache<D, T extends object | null>(
  bounds: CacheBounds<T>,
  { all, versionOf, clock }: { all: readonly D[]; versionOf: VersionOf<D>; clock: Clock },
): DependentCache<D, T> {
  const entries = boundedEntries<T, DependentEntry<D, T>>(bounds);
  const making = createVersionedCache<T>({ max: 1 }, clock);
  const make = async (key: string, work: (note: (dependency: D) => void) => Promise<T>): Promise<T> => {
    const before = new Map(all.map((dependency) => [dependency, versionOf([dependency])]));
    const noted = new Set<D>();
    const value = await work((dependency) => void noted.add(dependency));
    const dependencies = [...noted];
    const versions = dependencies.map((dependency) => before.get(dependency));
    if (!versions.includes(undefined))
      entries.set(key, { value, dependencies, version: versions.join(''), until: clock.monotonic() + believedFor });
    return value;
  };
  return {
    async get(key, work) {
      const entry = entries.get(key);
      if (entry !== undefined && clock.monotonic() < entry.until && versionOf(entry.dependencies) === entry.version)
        return entry.value;
      return making.get(
        key,
        () => versionOf(all),
        () => make(key, work),
      );
    },
  };
}
