import type { RawTrace, Trace } from '../traces/trace.js';
import { bareTrace } from './active-call.js';
import { type CallBook, createCallBook } from './call-book.js';
import { socketsIn } from './engine-folder.js';
import { type EngineExit, type EngineOptions, type EngineProcess, startEngine } from './engine-process.js';

/** Why a process has ended. */
export type Cause = 'blocked' | 'memory' | 'died' | 'not_loaded' | 'overdue' | 'total' | 'idle' | 'stopped';

export interface Ending {
  cause: Cause;
  /** What the engine has said, for a script that cannot be loaded. */
  said: string;
  /** How many calls were in the process. */
  calls: number;
}

/** One process of the engine, and the calls in it. */
export interface Instance {
  readonly integration: string;
  /** Where calls are sent when it listens. */
  readonly socketPath: string;
  readonly book: CallBook;
  /** When it was started. */
  readonly begun: number;
  /** Whether it gets no further calls. */
  isRetired: boolean;
  isListening: boolean;
  /** Undefined while it is being started. */
  engine: EngineProcess | undefined;
  cause: Cause | undefined;
  readonly listening: Promise<void>;
  readonly ended: Promise<Ending>;
}

export interface InstanceOptions extends Omit<EngineOptions, 'onTrace'> {
  integration: string;
  onTrace: (trace: Trace) => void;
}

export function startInstance(options: InstanceOptions, now: () => number = Date.now): Instance {
  const book = createCallBook(options.onTrace, now);
  const starting = startEngine({
    ...options,
    onTrace: (id, raw) => book.takeTrace(id, raw),
    onRequest(request) {
      options.onRequest(request);
      book.note(request);
    },
  });
  const exited = starting.then((engine) => {
    instance.engine = engine;
    if (instance.cause !== undefined) engine.kill();
    return engine.exited;
  });
  const failed = (error: unknown): EngineExit => ({ said: String(error), wasListening: false });
  const instance: Instance = {
    integration: options.integration,
    socketPath: socketsIn(options.folder).calls,
    book,
    begun: now(),
    isRetired: false,
    isListening: false,
    engine: undefined,
    cause: undefined,
    listening: starting.then(({ listening }) => listening).then(() => void (instance.isListening = true)),
    ended: exited.catch(failed).then((exit) => conclude(instance, exit, now())),
  };
  // Where a process does not start, `ended` tells; nobody may wait for this.
  instance.listening.catch(() => undefined);
  return instance;
}

/** Ends a process. The first cause is the one that is told. */
export function end(instance: Instance, cause: Cause): void {
  instance.cause ??= cause;
  instance.isRetired = true;
  instance.engine?.kill();
}

function conclude(instance: Instance, { said, wasListening }: EngineExit, at: number): Ending {
  instance.isRetired = true;
  instance.cause ??= causeOf(said, wasListening);
  const ending = { cause: instance.cause, said, calls: instance.book.calls.size };
  instance.book.endAll(traceOf(ending, at));
  return ending;
}

function causeOf(said: string, wasListening: boolean): Cause {
  if (!wasListening) return 'not_loaded';
  return /out of memory/i.test(said) ? 'memory' : 'died';
}

const outcomes: Partial<Record<Cause, string>> = {
  blocked: 'blocked',
  memory: 'out_of_memory',
  total: 'out_of_memory',
  overdue: 'unfinished',
};

function traceOf({ cause, said }: Ending, at: number): RawTrace {
  return bareTrace(outcomes[cause] ?? 'failed', at, cause === 'not_loaded' ? said.trim() : undefined);
}
