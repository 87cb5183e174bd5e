import { LRUCache } from 'lru-cache';
import { embedBatch, wireHeader, type EmbedLookup } from '@scriptorium/contracts';
import type { Caller } from '../auth/authenticator.js';
import type { Logger, Requester } from '../ports.js';

/** For whom and how long resources are looked up. */
export interface LookupContext {
  caller: Caller | null;
  requestId: string;
  timeoutMs: number;
}

/** Finds resources by id for a caller; those missing, hidden or out of reach are not in the result. */
export type LookUp = (kind: string, ids: ReadonlySet<string>, context: LookupContext) => Promise<Map<string, object>>;

export interface Lookups {
  lookUp: LookUp;
  /** The caller changed something: what was found for it before is not used again. */
  wrote(caller: Caller | null): void;
}

const cacheSize = 10_000;
const cacheMs = 1_000;

/**
 * Looks resources up in batches, and remembers them per caller for a second: what a caller may see of a resource is part
 * of the answer (ruling 15).
 */
export function createLookups(client: Requester, table: Readonly<Record<string, EmbedLookup>>, logger: Logger): Lookups {
  const found = new LRUCache<string, object>({ max: cacheSize, ttl: cacheMs });
  const writes = new LRUCache<string, number>({ max: cacheSize });
  let lastWrite = 0;
  const prefixOf = (kind: string, caller: Caller | null): string => `${keyOf(caller)} ${writes.get(keyOf(caller)) ?? 0} ${kind} `;
  const fetchBatch = async (kind: string, ids: readonly string[], context: LookupContext): Promise<[string, object][]> => {
    const operation = table[kind];
    if (operation === undefined) throw new Error(`Nothing looks up resources of kind ${kind}`);
    try {
      return await ask(client, operation, ids, context);
    } catch (err) {
      // A response is more than its decoration: the reference stays.
      logger.warn({ err, kind, requestId: context.requestId }, 'Embedded resources could not be looked up');
      return [];
    }
  };
  return {
    wrote(caller) {
      lastWrite += 1;
      writes.set(keyOf(caller), lastWrite);
    },
    async lookUp(kind, ids, context) {
      const prefix = prefixOf(kind, context.caller);
      const result = new Map<string, object>();
      const missing: string[] = [];
      for (const id of ids) {
        const known = found.get(prefix + id);
        if (known === undefined) missing.push(id);
        else result.set(id, known);
      }
      const batches = await Promise.all(chunks(missing).map((batch) => fetchBatch(kind, batch, context)));
      for (const [id, resource] of batches.flat()) {
        result.set(id, resource);
        found.set(prefix + id, resource);
      }
      return result;
    },
  };
}

function keyOf(caller: Caller | null): string {
  return caller === null ? '-' : `${caller.principal.id}/${caller.principal.token.id}`;
}

function chunks(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / embedBatch) }, (_, at) => ids.slice(at * embedBatch, (at + 1) * embedBatch));
}

async function ask(client: Requester, op: EmbedLookup, ids: readonly string[], context: LookupContext): Promise<[string, object][]> {
  const { caller, requestId, timeoutMs } = context;
  const { body } = await client.request({
    service: op.service,
    operation: op.id,
    body: Buffer.from(JSON.stringify({ ids })),
    headers: { [wireHeader.requestId]: requestId, ...(caller === null ? {} : { [wireHeader.principal]: caller.header }) },
    timeoutMs: Math.min(op.deadlineMs, timeoutMs),
    reads: true,
  });
  const { items } = JSON.parse(new TextDecoder().decode(body)) as { items: { id: string }[] };
  return items.map((item) => [item.id, item]);
}
