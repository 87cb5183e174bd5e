import type { Limits } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
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
  /** Commands and reads: whose they are, in which organization, until when, and whether they are a dry run. */
  readonly store: StoreScope;
  /** The database of the service, for operational collections (`op_*`). A dry run must not write there. */
  readonly database: Db;
  /** The worker pool, for work that needs more than about 20 ms of CPU time. */
  readonly workers: WorkerPool;
  /** Requests to URLs that users give. */
  readonly outbound: Outbound;
  /** For requests to other services; see `ask`. */
  readonly messaging: Messaging;
  /** Seals the cursors of lists. */
  readonly cursors: Cursors;
  /** The secret keys of the installation. */
  readonly keys: Keyring;
  /** The log of the service. */
  readonly logger: Logger;
  /** The clock of the service, in milliseconds since the epoch. */
  readonly now: () => number;
  /** The base URLs in answers; `api` includes `/v1`. */
  readonly urls: { readonly api: string; readonly app: string };
  /** The limits of the installation. */
  readonly limits: Limits;
  /** Enforces limits whose count is in a read model. */
  readonly quotas: Quotas;
}

/** The same scope with another store: `withStore(scope, scope.store.in(organization))`. */
export function withStore<S extends Scope>(scope: S, store: StoreScope): S {
  return { ...scope, store };
}
