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
 * What one request, reaction or timer works with: the store under its conditions, and what the service has besides. Queries and
 * processes take it as their first argument.
 */
export interface Scope {
  readonly store: StoreScope;
  /** The database of the service, for what is no event (`op_*` collections). A dry run must not write there. */
  readonly database: Db;
  /** Long work that was requested, to be looked at. */
  readonly runs: Runs;
  /** Threads for what takes more than some 20 ms of CPU. */
  readonly workers: WorkerPool;
  /** The way out for addresses that users give. */
  readonly outbound: Outbound;
  readonly messaging: Messaging;
  readonly cursors: Cursors;
  readonly keys: Keyring;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Bases of the addresses in answers; `api` includes `/v1`. */
  readonly urls: { readonly api: string; readonly app: string };
  readonly limits: Limits;
  readonly quotas: Quotas;
  /** Whether every read model of the service answers for all that was written. */
  isLive(): Promise<boolean>;
  /** Forgets the kept answers to requests with an idempotency key, but not which request a key stands for. */
  forgetAnswers(): Promise<void>;
}

/** The same scope with its store under other settings: `withStore(scope, scope.store.in(organization))`. */
export function withStore<S extends Scope>(scope: S, store: StoreScope): S {
  return { ...scope, store };
}
