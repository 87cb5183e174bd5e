import { type Reactor, reactor } from '../../reactors/reactor.js';
import { runEvents } from '../run.js';
import { defaultKeepMs } from '../run-kind.js';
import { type RunKind } from '../../commands/run-request.js';
import { type RunsParts } from '../runs.js';

interface RunsReactorParts extends RunsParts {
  kinds: readonly RunKind<unknown, unknown>[];
  poke: () => void;
}

/** The name of its lease and checkpoint. */
export const runsConsumer = 'reactor_runs_v1';

/**
 * Creates missing documents of open runs, because the process died before it created one, or because the database was
 * lost.
 */
export function runsReactor({ kinds, documents, load, poke }: RunsReactorParts): Reactor {
  return reactor({
    name: 'runs',
    events: [runEvents.pick('RunRequested')],
    entities: ['run'],
    async react({ entityId: id }) {
      const run = await load(id);
      if (run.status !== 'open') return;
      const declared = kinds.find(({ kind }) => kind === run.request.kind);
      await documents.insert(id, run, declared?.keepMs ?? defaultKeepMs);
      poke();
    },
  });
}
