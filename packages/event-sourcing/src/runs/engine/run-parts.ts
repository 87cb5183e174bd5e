import { type Snapshots } from '../../aggregates/folded.js';
import { type EventStore } from '../../events/event-store.js';
import { type ScopeParts } from '../../commands/store-scope.js';
import { type Logger, type StoreMetrics } from '../../process/observe.js';
import { type Clock } from '../../process/time.js';
import { type RunAggregate } from '../run.js';
import { type RunDoc, type RunDocuments, type RunLease } from '../run-documents.js';
import { type RunHandler } from './run-steps.js';

export interface RunWorkParts {
  readonly namespace: string;
  readonly owner: string;
  readonly aggregate: RunAggregate;
  readonly events: EventStore;
  readonly snapshots: Snapshots;
  readonly documents: RunDocuments;
  readonly scopes: ScopeParts;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: StoreMetrics;
}

/** A run that this replica works on. */
export interface RunAtWork {
  readonly lease: RunLease;
  readonly handler: RunHandler;
  /** The document at the time of taking the run. */
  readonly doc: RunDoc;
  /** `unsure`: the last heartbeat is too old to tell whether another replica has taken the run. */
  leaseState(): 'held' | 'unsure' | 'lost';
  /** `soon`: no further step begins. `now`: the present step is interrupted too. */
  stopping(): 'no' | 'soon' | 'now';
  /** Whether other runs wait for a replica. */
  isAwaited(): boolean;
}
