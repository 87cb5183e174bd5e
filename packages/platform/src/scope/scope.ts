import type { Limits } from '@scriptorium/contracts';
import type { Runs, StoreScope } from '@scriptorium/event-sourcing';
import type { Messaging } from '@scriptorium/messaging';
import type { Db } from 'mongodb';
import type { Cursors } from '../paging/cursors.js';
import type { Logger } from '../observability/logging.js';
import type { Keyring } from '../process/keyring.js';
import type { Outbound } from '../outbound/outbound.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import type { Quotas } from './quota.js';

/**
 * What one request, reaction or timer works with: the store under its conditions, and the other parts of the service.
 * Queries and processes take it as their first argument.
 */
export interface Scope {
  readonly store: StoreScope;
  /** The database of the service, for operational collections (`op_*`). A dry run must not write there. */
  readonly database: Db;
  /** The runs of the service. */
  readonly runs: Runs;
  /** The worker pool, for work that needs more than about 20 ms of CPU time. */
  readonly workers: WorkerPool;
  /** Requests to URLs that users give. */
  readonly outbound: Outbound;
  readonly messaging: Messaging;
  readonly cursors: Cursors;
  readonly keys: Keyring;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The base URLs in answers; `api` includes `/v1`. */
  readonly urls: { readonly api: string; readonly app: string };
  readonly limits: Limits;
  readonly quotas: Quotas;
  /** Whether every read model of the service is live. */
  readonly isLive: () => Promise<boolean>;
  /**
   * Removes the stored answers to requests with an idempotency key, but not the record of which request a key belongs
   * to.
   */
  readonly forgetAnswers: () => Promise<void>;
}

/** The same scope with another store: `withStore(scope, scope.store.in(organization))`. */
export function withStore<S extends Scope>(scope: S, store: StoreScope): S {
  return { ...scope, store };
}
