import { type Db } from 'mongodb';
import { type Run } from './run.js';
import { docOf, runDocs } from './run-documents.js';
import { defaultKeepMs } from './run-kind.js';

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
