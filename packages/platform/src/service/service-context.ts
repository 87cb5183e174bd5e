import { streamNews, type Limits, type StreamNews } from '@scriptorium/contracts';
import {
  createDependentCache,
  systemClock,
  type AnyProjection,
  type DependentCache,
  type RecordedCommit,
  type Store,
  type StoreScope,
} from '@scriptorium/event-sourcing';
import type { Messaging } from '@scriptorium/messaging';
import type { Db } from 'mongodb';
import type { Cursors } from '../paging/cursors.js';
import type { Logger } from '../observability/logging.js';
import type { Registry } from '../observability/metrics.js';
import type { Keyring } from '../process/keyring.js';
import type { Outbound } from '../outbound/outbound.js';
import { CachedResponse } from '../handlers/answers.js';
import { createIdempotencyStore, type IdempotencyStore } from '../idempotency/idempotency-store.js';
import { createQuotas, type Quotas } from '../scope/quota.js';
import type { Scope } from '../scope/scope.js';
import type { WorkerPool } from '../workers/worker-pool.js';

const gatherMs = 10;
const topicsPerMessage = 1000;

const cacheBounds = {
  max: 10_000,
  size: { of: ({ json }: CachedResponse<unknown>) => json.length, max: 32 * 1024 * 1024 },
};

/** Announces an event about a topic: an organization, or a person. */
type Tell = (topic: string | null, position: bigint) => void;

export interface ServiceParts {
  messaging: Messaging;
  cursors: Cursors;
  keys: Keyring;
  logger: Logger;
  registry: Registry;
  workers: WorkerPool;
  outbound: Outbound;
  /** Milliseconds since the epoch. */
  now: () => number;
  urls: { api: string; app: string };
  limits: Limits;
}

/** What controllers of a service work with. Nest passes it to their constructors. */
export class ServiceContext {
  #store: Store | undefined;
  #idempotency: IdempotencyStore | undefined;
  readonly #commitListeners: ((commit: RecordedCommit) => void)[] = [];
  #responses: DependentCache<AnyProjection, CachedResponse<unknown>> | undefined;
  readonly messaging: Messaging;
  /**
   * Tells gateways that a list has more that clients follow: `topic` is its topic, such as the id of the person whose
   * list it is, and `position` that of the latest event which the list shows. What happens in an organization is
   * announced by itself.
   */
  readonly announce: Tell;
  readonly cursors: Cursors;
  readonly keys: Keyring;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly workers: WorkerPool;
  readonly outbound: Outbound;
  readonly now: () => number;
  readonly urls: { api: string; app: string };
  readonly limits: Limits;
  readonly quotas: Quotas;
  readonly #stopping = new AbortController();

  constructor(parts: ServiceParts) {
    this.messaging = parts.messaging;
    this.announce = createNews(parts.messaging);
    this.cursors = parts.cursors;
    this.keys = parts.keys;
    this.logger = parts.logger;
    this.registry = parts.registry;
    this.workers = parts.workers;
    this.outbound = parts.outbound;
    this.now = parts.now;
    this.urls = parts.urls;
    this.limits = parts.limits;
    this.quotas = createQuotas(parts.limits);
    this.onCommit(({ organization, position }) => this.announce(organization, position));
  }

  /** Aborted when the service begins to stop: requests that wait for something are answered then without it. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Tells all who wait that the service stops. */
  beginToStop(): void {
    this.#stopping.abort();
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('The store is used before the service started');
    return this.#store;
  }

  /** The database of the service, for operational collections (`op_*`). */
  get database(): Db {
    return this.store.database;
  }

  /** The first answers to requests with an idempotency key. */
  get idempotency(): IdempotencyStore {
    return (this.#idempotency ??= createIdempotencyStore(this.database, this.keys.reservation));
  }

  /** Sets the store, once. The store is created from reactors that need the context, so it comes later. */
  attach(store: Store, projections: readonly AnyProjection[]): void {
    this.#store = store;
    this.#responses = createDependentCache<AnyProjection, CachedResponse<unknown>>(cacheBounds, {
      all: projections,
      versionOf: (some) => store.version(some),
      clock: systemClock,
    });
  }

  /** Adds a listener that is called after each append of this process, before the request is answered. */
  onCommit(listener: (commit: RecordedCommit) => void): void {
    this.#commitListeners.push(listener);
  }

  /** Calls the listeners of an append. */
  recorded(commit: RecordedCommit): void {
    for (const listener of this.#commitListeners) {
      try {
        listener(commit);
      } catch (err) {
        // The events are recorded, so the failure of a listener must not fail the request.
        this.logger.error({ err }, 'a listener of appends failed');
      }
    }
  }

  /** Creates the scope of a request, reaction or timer. */
  readonly scope = (store: StoreScope): Scope => {
    const { messaging, cursors, keys, logger, workers, outbound, now, urls, limits, quotas } = this;
    return {
      store,
      database: this.database,
      workers,
      outbound,
      messaging,
      cursors,
      keys,
      logger,
      now,
      urls,
      limits,
      quotas,
    };
  };

  /**
   * A response for a key, or a cached one while nothing has changed that was read through the scope passed to `make`.
   * Responses of dry runs and of earlier states are neither cached nor taken from the cache.
   */
  readonly cached = async <T>(
    key: string,
    scope: Scope,
    make: (scope: Scope) => Promise<T | CachedResponse<T>>,
  ): Promise<CachedResponse<T>> => {
    if (this.#responses === undefined || !scope.store.present) return CachedResponse.of(await make(scope));
    const kept = await this.#responses.get(key, async (note) =>
      CachedResponse.of(await make({ ...scope, store: scope.store.noting(note) })),
    );
    return kept as CachedResponse<T>;
  };
}

/**
 * Announces new events to gateways, which then continue the streams that clients follow. Announcements within 10 ms are
 * sent together. A lost announcement is made up for, since gateways also check from time to time.
 */
function createNews(messaging: Pick<Messaging, 'publish'>): Tell {
  const latest = new Map<string, bigint>();
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    const topics = [...latest].map(([topic, position]): StreamNews['topics'][number] => [topic, String(position)]);
    latest.clear();
    for (let start = 0; start < topics.length; start += topicsPerMessage) {
      messaging.publish(
        streamNews,
        Buffer.from(JSON.stringify({ topics: topics.slice(start, start + topicsPerMessage) } satisfies StreamNews)),
      );
    }
  };
  return (topic, position) => {
    if (topic === null) return;
    const known = latest.get(topic);
    if (known === undefined || known < position) latest.set(topic, position);
    timer ??= setTimeout(send, gatherMs).unref();
  };
}
