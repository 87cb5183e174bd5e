import { defineDomain } from '@scriptorium/platform';
import { FileStore } from '../files/index.js';
import { computedResultIndexes } from './computed-results.operational.js';
import { ComputedResults } from './computed-results.process.js';
import { ContentObjects } from './content-objects.operational.js';

/** What content consists of: documents and parts of trees, each stored under its hash, beside the bytes of files. */
export const objectStore = defineDomain({
  name: 'object-store',
  objects: ({ context, use }) => [new ContentObjects(context, use(FileStore), new ComputedResults(context))],
  indexes: computedResultIndexes,
});
