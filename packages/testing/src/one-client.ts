/** What a gateway remembers of its callers: see `RecentWrites` there. */
interface RecentWrites {
  record(token: string | undefined, service: string, headers: Readonly<Record<string, string>>): void;
  headersFor(token: string | undefined, service: string): Record<string, string>;
}

/**
 * A memory in which all callers are one client. A client reads in every service what it has recorded in another one,
 * and other clients do so a moment later. Specs speak as several people in turn, so each of them must read what the one
 * before has recorded.
 */
export function asOneClient(writes: RecentWrites): RecentWrites {
  const everybody = 'everybody';
  return {
    record: (_token, service, headers) => writes.record(everybody, service, headers),
    headersFor: (_token, service) => writes.headersFor(everybody, service),
  };
}
