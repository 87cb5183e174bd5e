/**
 * Headers of a request between gateway and services, and of its reply. Both bodies are JSON: the input
 * `{ params, query, body }` of the request, and the response body.
 */
export const wireHeader = {
  requestId: 'request-id',
  /** The caller as JSON, signed by the gateway or service that sends it; absent for anonymous operations. */
  principal: 'principal',
  /** `Idempotency-Key` as the client sent it. */
  idempotencyKey: 'idempotency-key',
  /** Entity tags of which the resource must have one, as `If-Match` lists them without quotes; `*` for any. */
  ifMatch: 'if-match',
  /** Log position that the answer must not be older than, as the client sent it. */
  after: 'after',
  /**
   * What the caller recorded in other services, as in `types`: projections that consume one of these types have to
   * reach its position before the request is handled. All other projections are not waited for.
   */
  afterTypes: 'after-types',
  /** Time or log position: the resource is shown as it was then. */
  asOf: 'as-of',
  /** `true`: the service decides and answers, but records nothing. */
  dryRun: 'dry-run',
  /** Seconds that the answer may wait for work in the background. */
  wait: 'wait',
  /** Digest of a large answer that the gateway has: a service that would give the same bytes replies without them. */
  known: 'known',
  /** Trace context of the caller (W3C). */
  traceparent: 'traceparent',
  /** Of an anonymous operation: the address of the client. */
  clientAddress: 'client-address',
  /** Of an anonymous operation: the `User-Agent` of the client. */
  clientAgent: 'client-agent',
  /**
   * Of an anonymous operation: `id.hash` of the session in the client's cookie. Reply: the session to set; empty to
   * forget it.
   */
  session: 'session',
  /** Of an operation for browsers: SHA-256 of the cookie by which the gateway recognises the browser. */
  browser: 'browser',
  /** Reply: the HTTP status, if it is not that of the operation. */
  status: 'status',
  /** Reply: `true` if the answer has waited for work in the background, as the request preferred. */
  waited: 'waited',
  /** Reply: seconds for which the answer may be used again, if they are fewer than the operation says. */
  maxAge: 'max-age',
  /** Reply: `Location` of a created object, or of a redirect. */
  location: 'location',
  /** Reply: cursor of the next page of a list, if there is one. */
  next: 'next',
  /** Reply: entity tag of the answer, without quotes. */
  etag: 'etag',
  /**
   * Reply: digest of the bytes of a large answer to a read. When the gateway has told the same one, the body is empty.
   */
  digest: 'digest',
  /** Reply: log position of the last event that the request recorded. */
  position: 'position',
  /**
   * Reply: types of the events that the request recorded, each with the position of its last one:
   * `TeamRenamed=50,MemberJoined=51`.
   */
  types: 'types',
  /** Reply: `true` if this is the first answer to the same idempotency key. */
  replayed: 'replayed',
} as const;

/** Answers of at least so many bytes have a digest. To send a smaller one again costs no more than to compare it. */
export const leastDigestedBytes = 1024;

/** Log positions by type of event. */
export type TypePositions = ReadonlyMap<string, bigint>;

/** Positions by type, as headers have them. */
export function formatTypes(positions: TypePositions): string {
  return [...positions].map(([type, position]) => `${type}=${position}`).join();
}

const typeForm = /^([A-Za-z]\w{0,127})=(\d{1,19})$/;

/** Reads positions by type; malformed entries are ignored. */
export function parseTypes(header: string | undefined): Map<string, bigint> {
  const positions = new Map<string, bigint>();
  if (header === undefined) return positions;
  for (const entry of header.split(',')) {
    const [, type, position] = typeForm.exec(entry) ?? [];
    if (type !== undefined && position !== undefined) positions.set(type, BigInt(position));
  }
  return positions;
}

/** Subject suffix on which identity announces changes of principals. */
export const principalChanges = 'identity.principals';

/**
 * An announcement on `principalChanges`; a heartbeat has no users. The sequence numbers of an epoch have no gaps; a new
 * epoch means that the announcer is a new process.
 */
export interface PrincipalChange {
  epoch: string;
  sequence: number;
  /** Users whose tokens or rights changed; their cached principals are looked up again. */
  users: string[];
  /**
   * Log position of the last event that the announcer recorded, by kind of stream (`identity.roster`). It is announced
   * before the request that caused it is answered, and again with every heartbeat. Services compare it with their
   * access read models.
   */
  recorded?: Record<string, string> | undefined;
}

/**
 * Subject suffix on which the service of sites announces changes of what content tokens open, in the form of a
 * `PrincipalChange`: `users` has the ids of the organizations whose sites have changed.
 */
export const siteChanges = 'sites.principals';

/**
 * Subject suffix on which integrations announce changes of what their tokens may do, in the form of a
 * `PrincipalChange`: `users` has the ids of the organizations that publish what has changed, or have installed it.
 * `recorded` has the positions of what installations reach.
 */
export const integrationChanges = 'integrations.principals';

/** Subject suffix on which replicas that serve the bytes of files announce themselves, every second. */
export const fileServers = 'content.file-servers';

/** The same of replicas that answer at the public addresses of integrations. */
export const endpointServers = 'integrations.endpoint-servers';

/** An announcement on `fileServers` or `endpointServers`. */
export interface ByteServerNews {
  /** Another one for each start of a replica. */
  id: string;
  /** Where gateways reach the replica, `http://host:port`. */
  url: string;
  /** The replica takes no new requests any more. */
  isStopping: boolean;
}

/** Subject suffix on which services announce events of lists that can be followed as streams. */
export const streamNews = 'streams.news';

/**
 * An announcement on `streamNews`: topics (ids of organizations, and of users who are notified), each with the log
 * position of its latest event.
 */
export interface StreamNews {
  topics: [topic: string, position: string][];
}
