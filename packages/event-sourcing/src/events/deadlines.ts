import { type Logger } from '../process/observe.js';
import { typeOf } from './client-errors.js';
import { type AppendOptions } from './own-appends.js';

/** An append that is given up so soon, and so long before its time, has met another clock. In ms. */
const atOnce = 1000;
const timeToSpare = 1000;

const otherClock =
  "EventStoreDB gave up an append at once: its clock is ahead of this machine's. Synchronise both clocks, then start this process again " +
  '(docs/operations.md, "Time synchronisation"). Until then it sends appends without a deadline';

export interface Deadlines {
  readonly options: AppendOptions;
  /** Sends an append that is given up after `ms`; a second time when it was refused because of the server's clock. */
  within<T>(ms: number, send: (left: number) => Promise<T>): Promise<T>;
}

/**
 * The client (6.2.1) sends a time of this machine's clock with each append, and the server compares it with its own:
 * when that is some seconds ahead, every append comes too late. That is noticed, said once, and from then on appends
 * are sent without; the server then gives them up by its own setting. Sending one again writes nothing twice, as its
 * events have their ids.
 */
export function createDeadlines(logger: Logger): Deadlines {
  const options: AppendOptions = { withDeadline: true };
  return {
    options,
    async within(ms, send) {
      const began = performance.now();
      const { withDeadline } = options;
      try {
        return await send(ms);
      } catch (error) {
        const took = performance.now() - began;
        if (!withDeadline || !isRefusedAtOnce(error, took, ms)) throw error;
        if (options.withDeadline) logger.error({ tookMs: Math.round(took), deadlineMs: Math.round(ms) }, otherClock);
        options.withDeadline = false;
        return send(ms - took);
      }
    },
  };
}

function isRefusedAtOnce(error: unknown, took: number, ms: number): boolean {
  return typeOf(error) === 'deadline-exceeded' && took < atOnce && ms - took >= timeToSpare;
}
