import { AppError } from '@scriptorium/contracts';
import { type NewRun, type RunCommands, type RunKind, type RunView } from '../commands/run-request.js';
import { type StoreScope } from '../commands/store-scope.js';
import { type Run, type RunAggregate, cancelRun, requestRun } from './run.js';
import { type RunDocuments, docOf } from './run-documents.js';
import { jsonWithinBounds } from './run-kind.js';
import { type Runs } from './runs.js';
import { viewOf } from './run-view.js';

export interface RunCommandParts {
  aggregate: RunAggregate;
  documents: RunDocuments;
  runs: Pick<Runs, 'find'>;
  /** The kinds that this replica works on. */
  kinds: readonly RunKind<unknown, unknown>[];
  /** Makes the engine look for runs. */
  poke: () => void;
}

export function createRunCommands(parts: RunCommandParts): RunCommands<StoreScope> {
  return {
    request: (scope, kind, run) => request(parts, scope, kind, run),
    cancel: (scope, id) => cancel(parts, scope, id),
    find: (id) => parts.runs.find(id),
  };
}

async function request<I, S>(
  parts: RunCommandParts,
  scope: StoreScope,
  kind: RunKind<I, S>,
  { id, input }: NewRun<I>,
): Promise<RunView> {
  if (!parts.kinds.some(({ name }) => name === kind.name))
    throw new AppError('unexpected', [], { message: `nothing works on runs of ${kind.name}` });
  if (!/^[\w-]{1,128}$/.test(id)) throw new RangeError(`"${id}" cannot be the id of a run`);
  const wanted: unknown = JSON.parse(jsonWithinBounds('the input', kind.input.parse(input)));
  await requireBelowLimit(parts, scope, kind, id);
  const { state } = await scope
    .step('run')
    .handle(parts.aggregate, id, (run) => requestRun(run, { kind: kind.kind, version: kind.version, input: wanted }), {
      wait: false,
    });
  if (state.status === 'absent') throw new AppError('unexpected', [], { message: `the run ${id} was not recorded` });
  if (scope.dry) return viewOf(docOf(id, state, kind.keepMs));
  await parts.documents.insert(id, state, kind.keepMs);
  parts.poke();
  return viewOf((await parts.documents.find(id)) ?? docOf(id, state, kind.keepMs));
}

/** Refuses a run beyond the limit. Concurrent requests can exceed it slightly: the number is bounded, but not exact. */
async function requireBelowLimit<I, S>(
  { documents }: RunCommandParts,
  { context: { organization } }: StoreScope,
  { kind, openAtMost }: RunKind<I, S>,
  id: string,
): Promise<void> {
  if ((await documents.count({ kind, organization, open: true }, openAtMost)) < openAtMost) return;
  if ((await documents.find(id)) !== null) return;
  throw new AppError('limit_reached', [], { message: `There are already ${openAtMost} open runs of this kind` });
}

async function cancel(parts: RunCommandParts, scope: StoreScope, id: string): Promise<void> {
  const decide = (run: Run) => {
    if (run.status === 'open' && !isCancellable(parts, run.request))
      throw new AppError('conflict', [], { message: 'A run of this kind cannot be cancelled' });
    return cancelRun(run);
  };
  await scope.step('cancel').handle(parts.aggregate, id, decide, { wait: false });
  if (scope.dry) return;
  await parts.documents.cancelling(id);
  parts.poke();
}

/** Whether a run can be cancelled. Runs of a kind that is no longer declared can be, or they would stay forever. */
function isCancellable({ kinds }: RunCommandParts, { kind }: { kind: string }): boolean {
  return kinds.every((declared) => declared.kind !== kind || declared.cancellable);
}
