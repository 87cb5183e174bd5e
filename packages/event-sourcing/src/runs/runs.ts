import { type Slice } from '../shared/slice.js';
import { type Run } from './run.js';
import { type RunDocuments, type RunFilter, docOf } from './run-documents.js';
import { defaultKeepMs } from './run-kind.js';
import { type RunView, viewOf } from './run-view.js';

/** The runs of a service, to be looked at. What is shown is as new as the last step. */
export interface Runs {
  /** `null` for a run that never was, or that ended so long ago that it was removed. */
  find(id: string): Promise<RunView | null>;
  /** Sorted by `requestedAt` and id. */
  list(filter: RunFilter, slice: Slice<number>): Promise<RunView[]>;
  count(filter: RunFilter): Promise<number>;
}

export interface RunsParts {
  documents: RunDocuments;
  load: (id: string) => Promise<Run>;
}

export function createRuns({ documents, load }: RunsParts): Runs {
  return {
    async find(id) {
      const doc = await documents.find(id);
      if (doc !== null) return viewOf(doc);
      // It may be so new that it has no document yet; an ended one was removed.
      const run = await load(id);
      return run.status === 'open' ? viewOf(docOf(id, run, defaultKeepMs)) : null;
    },
    list: async (filter, slice) => (await documents.list(filter, slice)).map(viewOf),
    count: (filter) => documents.count(filter),
  };
}
