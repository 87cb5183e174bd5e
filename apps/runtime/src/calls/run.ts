import { type ActiveCall, bareTrace } from '../pool/active-call.js';
import type { Cause, Ending } from '../pool/instance.js';
import type { Pool, Wanted } from '../pool/pool.js';
import { Refusal } from '../refusal.js';
import type { Trace } from '../traces/trace.js';
import { attempt, ProcessEnded, type ScriptAnswer } from './attempt.js';
import type { Envelope } from './run-request.js';

/** A call with what its answer needs. */
export interface Run {
  wanted: Omit<Wanted, 'isAlone'>;
  /** A call with the id that the caller knows; a new one for each attempt. */
  begin: () => ActiveCall;
  envelope: Envelope;
  /** Whether it may be made again, alone. */
  repeat: boolean;
  /** Aborted at the deadline, and when the caller is gone. */
  signal: AbortSignal;
}

export interface RunAnswer extends ScriptAnswer {
  /** Tells that the answer has ended, or that it was given up. */
  done: (dropped?: ActiveCall['dropped']) => void;
}

/** @throws Refusal; the reason of the signal */
export async function run(pool: Pool, onTrace: (trace: Trace) => void, call: Run): Promise<RunAnswer> {
  const { key } = call.wanted;
  try {
    return await once(pool, onTrace, { ...call, wanted: { ...call.wanted, isAlone: false } });
  } catch (error) {
    if (!(error instanceof ProcessEnded) || !call.repeat || !mayBeOthersFault(error.ending)) throw failureOf(error);
  }
  // The one at fault will end this process, too, and then no other call is in it.
  const wanted = { ...call.wanted, key: `${key} alone`, isAlone: true };
  return once(pool, onTrace, { ...call, wanted }).catch((error: unknown) => {
    throw failureOf(error);
  });
}

interface Attempt extends Run {
  wanted: Wanted;
}

async function once(pool: Pool, onTrace: (trace: Trace) => void, attempted: Attempt): Promise<RunAnswer> {
  const { wanted, envelope, signal } = attempted;
  const call = attempted.begin();
  const instance = await pool.acquire(wanted, call, signal).catch((error: unknown) => {
    onTrace(call.trace(bareTrace('failed', Date.now())));
    throw error;
  });
  const done: RunAnswer['done'] = (dropped) => {
    call.dropped = dropped;
    instance.book.answered(call);
  };
  try {
    return { ...(await attempt(instance, call, envelope, signal)), done };
  } catch (error) {
    done(error instanceof ProcessEnded ? undefined : signal.aborted ? 'timeout' : 'failed');
    throw error;
  }
}

function mayBeOthersFault({ cause, calls }: Ending): boolean {
  return cause === 'total' || (calls > 1 && (cause === 'blocked' || cause === 'memory' || cause === 'died'));
}

const longestSaid = 500;

function failureOf(error: unknown): unknown {
  if (!(error instanceof ProcessEnded)) return error;
  const { cause, said } = error.ending;
  return refusals[cause](said.trim().split('\n').slice(0, 2).join(' ').slice(0, longestSaid));
}

const failed = (): Refusal => new Refusal('script_failed', 'The process of the script has ended');
const outOfMemory = (): Refusal => new Refusal('script_out_of_memory', 'The script needs too much memory');

const refusals: Readonly<Record<Cause, (said: string) => Refusal>> = {
  blocked: () => new Refusal('script_blocked', 'The script has blocked its process'),
  memory: outOfMemory,
  total: outOfMemory,
  died: failed,
  overdue: failed,
  not_loaded: (said) => new Refusal('script_failed', `The script cannot be loaded: ${said}`),
  idle: () => new Refusal('runtime_busy', 'The process made room for another', { retryAfter: 1 }),
  stopped: () => new Refusal('runtime_busy', 'The runtime is being stopped', { retryAfter: 1 }),
};
