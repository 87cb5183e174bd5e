import { type Db } from 'mongodb';
import { type Slice } from '../database/slice.js';
import { type Run } from './run.js';
import { type RunDocuments, type RunFilter, docOf, runDocs } from './run-documents.js';
import { defaultKeepMs } from './run-kind.js';
import { viewOf } from './run-view.js';
import { type RunCommands, type RunView } from '../commands/run-request.js';

/** Queries for the runs of a service. Answers are as recent as the last step. */
export interface Runs extends Pick<RunCommands<unknown>, 'find'> {
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
      // A new run may have no document yet. That of an ended one was removed.
      const run = await load(id);
      return run.status === 'open' ? viewOf(docOf(id, run, defaultKeepMs)) : null;
    },
    list: async (filter, slice) => (await documents.list(filter, slice)).map(viewOf),
    count: (filter) => documents.count(filter),
  };
}

/**
 * Creates the documents of all runs again from their streams, for a database that is newer than the log: its documents
 * may show steps or an end that the log does not contain. Runs without a stream are removed.
 */
export async function remakeRuns(db: Db, load: (id: string) => Promise<Run>): Promise<void> {
  const collection = runDocs(db);
  for await (const { _id: id, endedAt, sweepAt } of collection.find()) {
    const run = await load(id);
    const kept = endedAt === undefined || sweepAt === undefined ? defaultKeepMs : sweepAt - endedAt;
    if (run.status === 'absent') await collection.deleteOne({ _id: id });
    else await collection.replaceOne({ _id: id }, docOf(id, run, kept));
  }
}
