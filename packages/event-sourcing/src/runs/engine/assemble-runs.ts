import { type Db } from 'mongodb';
import { type Reactor } from '../../reactors/reactor.js';
import { runOf } from '../run.js';
import { createRunCommands } from '../run-commands.js';
import { type RunCommands } from '../../commands/run-request.js';
import { type StoreScope } from '../../commands/store-scope.js';
import { createRunDocuments } from '../run-documents.js';
import { type RunEngine, type RunEngineParts, createRunEngine } from './run-engine.js';
import { type Runs, createRuns } from '../runs.js';
import { type RunHandler } from './run-steps.js';
import { runsReactor } from './runs-reactor.js';

type Parts = Omit<RunEngineParts, 'aggregate' | 'documents' | 'handlers' | 'atOnce'> & {
  readonly service: string;
  readonly db: Db;
};

interface RunOptions {
  readonly runs?: readonly RunHandler[];
  readonly runsAtOnce?: number;
}

export interface AssembledRuns {
  readonly runs: Runs;
  readonly runCommands: RunCommands<StoreScope>;
  readonly runEngine: RunEngine;
  /** The reactor that runs need, if the service has any kinds of runs. */
  readonly runReactors: readonly Reactor[];
}

const runsAtOnce = 4;

/** Creates the runs of a store. None is worked on yet. */
export function assembleRuns(
  parts: Parts,
  { runs: handlers = [], runsAtOnce: atOnce = runsAtOnce }: RunOptions,
): AssembledRuns {
  const aggregate = runOf(parts.service);
  const documents = createRunDocuments(parts.db, parts.clock);
  const runEngine = createRunEngine({ ...parts, aggregate, documents, handlers, atOnce });
  const common = {
    aggregate,
    documents,
    kinds: handlers.map(({ kind }) => kind),
    load: (id: string) => parts.scopes.load(aggregate, id),
    poke: () => runEngine.poke(),
  };
  const runs = createRuns(common);
  return {
    runs,
    runCommands: createRunCommands({ ...common, runs }),
    runEngine,
    runReactors: handlers.length === 0 ? [] : [runsReactor(common)],
  };
}
