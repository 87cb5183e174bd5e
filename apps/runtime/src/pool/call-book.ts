import type { OutgoingRequest } from '../egress/egress.js';
import type { RawTrace, Trace } from '../traces/trace.js';
import { type ActiveCall, bareTrace } from './active-call.js';

/** The calls of one process. A call leaves when its answer has ended and its trace is there. */
export interface CallBook {
  readonly calls: ReadonlySet<ActiveCall>;
  /** When a call came or left last. */
  lastUsed: number;
  join(call: ActiveCall): void;
  /** The answer has ended, or nobody waits for it any more. */
  answered(call: ActiveCall): void;
  /** Gives up the trace of a call that goes on for too long after its answer. */
  giveUp(call: ActiveCall): void;
  /** Notes a request. The engine does not tell which call has sent it, so only a call that is alone gets it. */
  note(request: OutgoingRequest): void;
  takeTrace(id: string, raw: RawTrace): void;
  /** The process has ended: nothing more will come. */
  endAll(raw: RawTrace): void;
}

/** One more than a trace shows, which tells that something was left out. */
const mostNoted = 101;

export function createCallBook(onTrace: (trace: Trace) => void, now: () => number): CallBook {
  const calls = new Set<ActiveCall>();
  /** Traces of calls the end of whose answer is still on its way. */
  const early = new Map<string, RawTrace>();
  const finish = (call: ActiveCall, raw: RawTrace): void => {
    if (calls.delete(call)) onTrace(call.trace(raw));
    early.delete(call.id);
    book.lastUsed = now();
  };
  const book: CallBook = {
    calls,
    lastUsed: now(),
    join(call) {
      calls.add(call);
      book.lastUsed = now();
      if (calls.size > 1) for (const one of calls) one.isAlone = false;
    },
    answered(call) {
      call.answeredAt ??= now();
      const raw = early.get(call.id);
      if (raw !== undefined) finish(call, raw);
    },
    giveUp: (call) => finish(call, bareTrace('unfinished', now())),
    note(request) {
      const [only, another] = calls;
      if (only !== undefined && another === undefined && only.requests.length < mostNoted) only.requests.push(request);
    },
    takeTrace(id, raw) {
      const call = [...calls].find((one) => one.id === id);
      if (call === undefined) return;
      if (call.answeredAt === undefined) early.set(id, raw);
      else finish(call, raw);
    },
    endAll(raw) {
      for (const call of [...calls]) finish(call, early.get(call.id) ?? raw);
    },
  };
  return book;
}
