import { AppError } from '@scriptorium/contracts';
import { type CommandContext } from '../../events/events.js';
import { type ScopeParts, StoreScope } from '../../commands/store-scope.js';
import { type RunDoc } from '../run-documents.js';
import { type RunContext } from './run-steps.js';

/** The context of a run's commands: they act as the principal who requested the run. */
export function contextOfRun(doc: RunDoc): CommandContext {
  const { kind, actor, organization, correlation, within } = doc;
  return { actor, organization, operation: kind, correlation, within };
}

export interface Attempt {
  readonly doc: RunDoc;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Whether this replica still has the run, as far as it knows. */
  holds(): boolean;
}

/**
 * The context and the store of one attempt at a step. After its time, or when another replica has the run, the store
 * refuses everything.
 */
export function scopeOfStep(parts: ScopeParts, attempt: Attempt): { run: RunContext<unknown>; store: StoreScope } {
  const { doc, deadline, signal } = attempt;
  const { _id: id, step, ending } = doc;
  const idem = `run:${id}:${ending === undefined ? '' : 'clean-up:'}${step}`;
  const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
    if (signal.aborted || !attempt.holds())
      throw new AppError('unavailable', [], { message: 'this attempt at the step is over' });
    return work();
  };
  const guarded: ScopeParts = {
    ...parts,
    handle: (...command) => inTime(() => parts.handle(...command)),
    erase: (...stream) => inTime(() => parts.erase(...stream)),
    schedule: (timer) => inTime(() => parts.schedule(timer)),
  };
  return {
    run: { id, input: JSON.parse(doc.input) as unknown, step, idem, deadline, signal },
    store: new StoreScope(guarded, { context: { ...contextOfRun(doc), deadline, idem }, waits: false }),
  };
}
