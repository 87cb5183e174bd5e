import type { WeightTable } from '@scriptorium/clustering';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { Models } from '../models/index.js';
import type { CentroidCache } from './centroid-cache.process.js';

/** What one step of the analysis works with. */
export interface Analysing {
  context: ServiceContext;
  cache: CentroidCache;
  models: Models;
  store: StoreScope;
  organization: string;
  /** Ends with the step. */
  signal: AbortSignal;
  /** By which terms are weighed: that of the organization when the step began. */
  table: WeightTable;
  /** How many issues there were when the table was cut. */
  cutAt: number;
}
