import type { Embedder } from '@scriptorium/clustering';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';

/** What reads issues of an organization as vectors. */
export interface Reading {
  context: ServiceContext;
  store: StoreScope;
  organization: string;
  /** Ends with the step. */
  signal: AbortSignal;
  /** What makes the vectors by which issues are compared. */
  embedder: Embedder;
}
