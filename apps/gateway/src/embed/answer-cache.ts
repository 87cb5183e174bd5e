import { LRUCache } from 'lru-cache';
import type { LookUp, LookupContext } from './lookup.js';

/** What was looked up for an answer. */
interface Looked {
  kind: string;
  ids: ReadonlySet<string>;
  found: ReadonlyMap<string, object>;
}

interface CachedAnswer {
  /** The answer of the service. */
  body: Uint8Array;
  looked: readonly Looked[];
  composed: Uint8Array;
}

/** Smaller answers are composed faster than they are compared. */
const leastBytes = 8 * 1024;
const mostBytes = 32 * 1024 * 1024;
const bytesOfReference = 100;

/** Composes one answer with these lookups. */
export type ComposeWith = (lookUp: LookUp) => Promise<Uint8Array>;

/**
 * A cache of large composed answers. A cached answer is used again when the service sends the same bytes and every
 * lookup, which is still made, finds the same resources: then a newly composed answer would have the same bytes. `tag`:
 * the entity tag of the service's answer.
 */
export function createComposedCache(lookUp: LookUp) {
  const cache = new LRUCache<string, CachedAnswer>({
    maxSize: mostBytes,
    sizeCalculation: ({ body, composed, looked }) =>
      body.length + composed.length + looked.reduce((size, { ids }) => size + bytesOfReference * ids.size, 1),
  });
  return async (
    key: { tag: string | undefined; operation: string },
    body: Uint8Array,
    context: LookupContext,
    compose: ComposeWith,
  ): Promise<Uint8Array> => {
    const { tag, operation } = key;
    if (tag === undefined || body.length < leastBytes) return compose(lookUp);
    const principal = context.caller?.principal;
    const name = `${operation} ${tag} ${principal?.id ?? ''}/${principal?.token.id ?? ''}`;
    const cached = cache.get(name);
    if (cached !== undefined && Buffer.compare(cached.body, body) === 0 && (await isSame(cached, lookUp, context)))
      return cached.composed;
    const looked: Looked[] = [];
    const composed = await compose(async (kind, ids, asked) => {
      const found = await lookUp(kind, ids, asked);
      looked.push({ kind, ids, found });
      return found;
    });
    cache.set(name, { body: Buffer.from(body), looked, composed });
    return composed;
  };
}

async function isSame({ looked }: CachedAnswer, lookUp: LookUp, context: LookupContext): Promise<boolean> {
  const found = await Promise.all(looked.map(({ kind, ids }) => lookUp(kind, ids, context)));
  return looked.every((before, index) => {
    const now = found[index];
    if (now === before.found) return true;
    return now?.size === before.found.size && [...now].every(([id, resource]) => before.found.get(id) === resource);
  });
}
