import type { WeightTable } from '@scriptorium/clustering';
import type { Models } from '../models/index.js';
import type { CentroidCache } from './centroid-cache.process.js';
import type { Reading } from './reading.process.js';

/** What one step of the analysis works with. */
export interface Analysing extends Reading {
  cache: CentroidCache;
  models: Models;
  /** By which terms are weighed: that of the organization when the step began. */
  table: WeightTable;
  /** How many issues there were when the table was cut. */
  cutAt: number;
}
