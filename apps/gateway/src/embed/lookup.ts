import { LRUCache } from 'lru-cache';
import { embedBatch, wireHeader, type Embeds } from '@scriptorium/contracts';
import type { Caller } from '../auth/authenticator.js';
import type { Logger } from '../server/logger.js';
import type { Requester } from '../services/client.js';

/** For whom resources are looked up, and how long that may take. */
export interface LookupContext {
  caller: Caller | null;
  requestId: string;
  timeoutMs: number;
  /** The log position that the answer must not be older than, if the client has told one. */
  after?: string | undefined;
}

/** Finds resources by id. Missing and hidden ones, and those of a failed lookup, are not in the result. */
export type LookUp = (kind: string, ids: ReadonlySet<string>, context: LookupContext) => Promise<Map<string, object>>;

export interface Lookups {
  lookUp: LookUp;
  /** Forgets what is cached for a caller, because the caller changed something, or knows of a change. */
  forget(caller: Caller | null): void;
}

const cacheSize = 10_000;
const cacheMs = 1_000;

/** What lookups are made with. */
export interface LookupsDeps {
  client: Requester;
  /** The lookups by kind. */
  embeds: Embeds;
  logger: Logger;
}

/**
 * Builds the lookups of embedded resources. They are made in batches and cached for a second for each caller, because
 * the content of a resource depends on what its reader may see. A lookup waits for what the caller recorded in other
 * services.
 */
export function createLookups(deps: LookupsDeps): Lookups {
  const cache = createCache();
  const underWay = new Map<string, Promise<[string, object][]>>();
  /** Whoever asks for the same at the same time, for the same caller, shares one exchange. */
  const lookUpOnce = (name: string, begin: () => Promise<[string, object][]>): Promise<[string, object][]> => {
    const begun = underWay.get(name);
    if (begun !== undefined) return begun;
    const asked = begin().finally(() => underWay.delete(name));
    underWay.set(name, asked);
    return asked;
  };
  // Large answers are asked for again and again with the very same ids: to look up hundreds of them one by one takes
  // longer than all else.
  const whole = new WeakMap<ReadonlySet<string>, { name: string; until: number; found: Map<string, object> }>();
  return {
    forget: (caller) => cache.forget(caller),
    async lookUp(kind, ids, context) {
      const cached = cache.of(kind, context.caller);
      const known = whole.get(ids);
      if (known?.name === cached.name && performance.now() < known.until) return known.found;
      const found = new Map<string, object>();
      const missing: string[] = [];
      for (const id of ids) {
        const resource = cached.get(id);
        if (resource === undefined) missing.push(id);
        else found.set(id, resource);
      }
      const batches = await Promise.all(
        chunks(missing).map((batch) =>
          lookUpOnce(cached.name + batch.join(' '), () => lookUpBatch(deps, kind, batch, context)),
        ),
      );
      for (const [id, resource] of batches.flat()) {
        found.set(id, resource);
        cached.set(id, resource);
      }
      // What is missing now may be there with the next request.
      if (found.size === ids.size) whole.set(ids, { name: cached.name, until: cached.until(ids), found });
      return found;
    },
  };
}

/** Resources by the ids of their references; none of a lookup that failed. */
async function lookUpBatch(
  { client, embeds, logger }: LookupsDeps,
  kind: string,
  ids: readonly string[],
  { caller, requestId, timeoutMs, after }: LookupContext,
): Promise<[string, object][]> {
  const op = embeds[kind];
  if (op === undefined) throw new Error(`Nothing looks up resources of kind ${kind}`);
  const headers = {
    [wireHeader.requestId]: requestId,
    ...(after === undefined ? {} : { [wireHeader.after]: after }),
  };
  try {
    const { service, id: operation, deadlineMs } = op;
    const answer = await client.request({
      service,
      operation,
      body: Buffer.from(JSON.stringify({ ids })),
      headers,
      timeoutMs: Math.min(deadlineMs, timeoutMs),
      reads: true,
      caller,
    });
    const found = JSON.parse(new TextDecoder().decode(answer.body)) as { items: { id: string }[]; refs?: string[] };
    return found.items.map((item, index) => [found.refs?.[index] ?? item.id, item]);
  } catch (err) {
    // The answer is useful with a reference in the place of the resource.
    logger.warn({ err, kind, requestId }, 'Embedded resources could not be looked up');
    return [];
  }
}

/**
 * Resources by caller, kind and id. A write of a caller gives their resources new keys, so that old ones are not found.
 */
function createCache() {
  const resources = new LRUCache<string, object>({ max: cacheSize, ttl: cacheMs });
  const generations = new LRUCache<string, number>({ max: cacheSize });
  let last = 0;
  return {
    forget(caller: Caller | null): void {
      last += 1;
      generations.set(keyOf(caller), last);
    },
    of(kind: string, caller: Caller | null) {
      const key = keyOf(caller);
      const prefix = `${key} ${generations.get(key) ?? 0} ${kind} `;
      return {
        /** Of this caller, kind and generation. */
        name: prefix,
        get: (id: string) => resources.get(prefix + id),
        set: (id: string, resource: object) => void resources.set(prefix + id, resource),
        /** When the first of these is forgotten, by `performance.now()`. */
        until: (ids: ReadonlySet<string>): number => {
          const left = [...ids].map((id) => resources.getRemainingTTL(prefix + id));
          return performance.now() + Math.min(...left);
        },
      };
    },
  };
}

function keyOf(caller: Caller | null): string {
  return caller === null ? '-' : `${caller.principal.id}/${caller.principal.token.id}`;
}

function chunks(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / embedBatch) }, (_, at) =>
    ids.slice(at * embedBatch, (at + 1) * embedBatch),
  );
}
