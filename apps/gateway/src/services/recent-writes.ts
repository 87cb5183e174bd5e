import { LRUCache } from 'lru-cache';
import { formatTypes, parseTypes, wireHeader } from '@scriptorium/contracts';

/**
 * What callers recorded a short time ago, so that they read their own writes in every service: requests to other
 * services wait for it.
 */
export interface RecentWrites {
  /**
   * Remembers the positions and types that a service answered to the owner of a token; undefined for anonymous callers.
   */
  record(token: string | undefined, service: string, headers: Readonly<Record<string, string>>): void;
  /** Headers for a request to a service: what the owner of the token recorded in other services. */
  headersFor(token: string | undefined, service: string): Record<string, string>;
}

/** Time in which every read model has seen an event, unless something is wrong. */
const keptMs = 10_000;
const maxTokens = 10_000;
const maxTypes = 64;

interface Write {
  position: bigint;
  service: string;
  until: number;
}

/** Builds an empty memory. `now` is a monotonic clock in milliseconds. */
export function createRecentWrites(now: () => number = () => performance.now()): RecentWrites {
  const byToken = new LRUCache<string, Map<string, Write>>({ max: maxTokens });
  return {
    record(token, service, headers) {
      const types = parseTypes(headers[wireHeader.types]);
      if (token === undefined || types.size === 0) return;
      const writes = byToken.get(token) ?? new Map<string, Write>();
      for (const [type, position] of types) {
        const before = writes.get(type);
        const latest = before !== undefined && before.position > position ? before.position : position;
        // Deleted first, so that the map is in the order of the last writes.
        writes.delete(type);
        writes.set(type, { position: latest, service, until: now() + keptMs });
      }
      for (const type of writes.keys()) if (writes.size > maxTypes) writes.delete(type);
      byToken.set(token, writes);
    },
    headersFor(token, service) {
      const writes = token === undefined ? undefined : byToken.get(token);
      if (token === undefined || writes === undefined) return {};
      const positions = new Map<string, bigint>();
      for (const [type, write] of writes) {
        if (write.until <= now()) writes.delete(type);
        else if (write.service !== service) positions.set(type, write.position);
      }
      if (writes.size === 0) byToken.delete(token);
      return positions.size === 0 ? {} : { [wireHeader.afterTypes]: formatTypes(positions) };
    },
  };
}
