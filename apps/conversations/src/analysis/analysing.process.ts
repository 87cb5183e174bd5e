import type { StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { CentroidCache } from './centroid-cache.process.js';

/** What one step of the analysis works with. */
export interface Analysing {
  context: ServiceContext;
  cache: CentroidCache;
  store: StoreScope;
  organization: string;
}
