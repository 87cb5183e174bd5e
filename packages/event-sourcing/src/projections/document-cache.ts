import { LRUCache } from 'lru-cache';
import { type Held } from './fold-batch.js';

/**
 * Documents a projection wrote lately, so that the next batch need not read them. Safe beside other writers: a document
 * as of a position is the same whoever folded it, and writes are guarded by position.
 */
export interface DocumentCache {
  get(id: string): Held | undefined;
  keep(id: string, held: Held, bytes: number): void;
  /** After a failed write, or a write by condition, nothing is known. */
  clear(): void;
  /** Whatever is not here does not exist. */
  isComplete(): boolean;
}

/** `empty`: the collection was empty when the cache was made, and has no other writer. */
export function createDocumentCache(documents: number, bytes: number, empty = false): DocumentCache {
  let complete = empty;
  const forget = (): void => void (complete = false);
  const cache = new LRUCache<string, Held>({
    max: documents,
    maxSize: bytes,
    dispose: (_held, _id, reason) => (reason === 'evict' ? forget() : undefined),
  });
  return {
    get: (id) => cache.get(id),
    keep(id, held, size) {
      if (size <= bytes) return void cache.set(id, held, { size: Math.max(1, size) });
      cache.delete(id);
      forget();
    },
    clear() {
      cache.clear();
      forget();
    },
    isComplete: () => complete,
  };
}
