import { formatTypes, parseTypes, wireHeader, type AppError, type Principal } from '@scriptorium/contracts';
import { LRUCache } from 'lru-cache';

/** What the gateway needs of the services: one exchange with one of them. */
export interface Requester {
  /** Rejects with an `AppError`: that of the service, or `unavailable` when none answers within `timeoutMs`. */
  request(call: ServiceCall): Promise<ServiceAnswer>;
}

/** One request to an operation of a service. */
export interface ServiceCall {
  service: string;
  operation: string;
  body: Uint8Array;
  headers: Record<string, string>;
  timeoutMs: number;
  /** Whether the request may be sent twice, because it changes nothing. */
  reads?: boolean;
  /** For whom it is made, null for somebody unknown; undefined for what the gateway asks by itself. */
  caller?: ServiceCaller | null | undefined;
}

/** For whom a service is asked; `header`: the same, signed. */
export interface ServiceCaller {
  principal: Principal;
  header: string;
}

/** What a service answered. */
export interface ServiceAnswer {
  body: Uint8Array;
  headers: Record<string, string>;
}

/**
 * The services, as the gateway asks them. A request passes, in this order:
 *
 * 1. Its caller: the service is told who it is and what they recorded in other services, and what this request
 *    records is remembered.
 * 2. The answer cache: a read tells the digest of the last answer to the same input, and bytes that are still right are
 *    not sent again.
 * 3. Hedged reads: a read that is not answered within a second is sent once more.
 * 4. `messaging`, which puts the requests of one turn of the event loop into one message.
 */
export function createClient(messaging: Requester, writes: RecentWrites): Requester {
  return forCallers(withAnswerCache(withHedgedReads(messaging)), writes);
}

function forCallers(client: Requester, writes: RecentWrites): Requester {
  const ask = async (call: ServiceCall, caller: ServiceCaller | null): Promise<ServiceAnswer> => {
    const token = caller?.principal.token.id;
    const headers = writes.headersFor(token, call.service);
    if (caller !== null) headers[wireHeader.principal] = caller.header;
    // A stream brings the caller as they are now.
    Object.assign(headers, call.headers);
    const answer = await client.request({ ...call, headers });
    writes.record(token, call.service, answer.headers);
    return answer;
  };
  return { request: (call) => (call.caller === undefined ? client.request(call) : ask(call, call.caller)) };
}

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

interface CachedAnswer {
  digest: string;
  body: Uint8Array;
}

const mostBytes = 64 * 1024 * 1024;
/** Erased data stays in the cache for at most this time, in ms. */
const cachedForMs = 60_000;
/** Answers to longer inputs, in bytes, are not cached. */
const mostInput = 4 * 1024;

/**
 * Sends the digest of the last answer to the same input, of any caller, with a request: a service whose answer has the
 * same bytes sends no body. The service still handles every request, so nobody gets an outdated answer or one that they
 * may not see.
 */
export function withAnswerCache(client: Requester): Requester {
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: mostBytes,
    ttl: cachedForMs,
    sizeCalculation: ({ body }, input) => body.length + input.length,
  });
  const ask = async (call: ServiceCall): Promise<ServiceAnswer> => {
    const input = `${call.operation} ${Buffer.from(call.body.buffer, call.body.byteOffset, call.body.length).toString('latin1')}`;
    const cached = answers.get(input);
    const headers = cached === undefined ? call.headers : { ...call.headers, [wireHeader.known]: cached.digest };
    const answer = await client.request({ ...call, headers });
    const { [wireHeader.digest]: digest } = answer.headers;
    if (digest === undefined) return answer;
    if (cached?.digest === digest && answer.body.length === 0) return { ...answer, body: cached.body };
    // A copy in memory of its own: the bytes share theirs with other messages.
    const body = Buffer.allocUnsafeSlow(answer.body.length);
    body.set(answer.body);
    answers.set(input, { digest, body });
    return { ...answer, body };
  };
  return {
    request: (call) => (call.reads === true && call.body.length <= mostInput ? ask(call) : client.request(call)),
  };
}

/** Nearly all reads are answered within this time; a service that has not answered by then may have died. */
const hedgeAfterMs = 1_000;
/** Second requests at a time. The bound keeps a service that is slow for another reason from getting twice its load. */
const maxHedged = 100;

/**
 * Hedged reads: sends a request that only reads a second time when there is no answer after a second, so that a replica
 * that was killed while it worked on the request costs a second and not the request. The first answer wins, and so does
 * the first refusal, except `unavailable` while another request is still open: when no replica is left, it is sent
 * again each second.
 */
export function withHedgedReads(client: Requester, after: number = hedgeAfterMs): Requester {
  let hedged = 0;
  const hedge = (call: ServiceCall): Promise<ServiceAnswer> =>
    new Promise((resolve, reject) => {
      const end = performance.now() + call.timeoutMs;
      let open = 0;
      let answered = false;
      let timer: NodeJS.Timeout | undefined;
      const failed = (error: AppError): void => {
        if (answered) return;
        open -= 1;
        clearTimeout(timer);
        if (open > 0 && error.reason === 'unavailable') return wait();
        reject(error);
      };
      const send = (timeoutMs: number): Promise<void> => {
        open += 1;
        return client.request({ ...call, timeoutMs }).then((answer) => {
          answered = true;
          clearTimeout(timer);
          resolve(answer);
        }, failed);
      };
      const wait = (): void => {
        timer = setTimeout(() => {
          const left = Math.floor(end - performance.now());
          if (left < 1 || hedged >= maxHedged) return;
          hedged += 1;
          void send(left).finally(() => (hedged -= 1));
        }, after);
      };
      void send(call.timeoutMs);
      wait();
    });
  return {
    request: (call) => (call.reads === true && call.timeoutMs > 2 * after ? hedge(call) : client.request(call)),
  };
}
