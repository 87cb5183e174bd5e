import type { ServiceContext } from '@scriptorium/platform';
import type { CallResult } from '../scripts/index.js';
import { addAttempt, addTrace } from './traces.operational.js';

/** What a script does after its answer has to end by then. */
const traceWithinMs = 32_000;

/** Records an attempt that began at `time` (ms): how it ended now, and what the script did when that is known. */
export async function recordAttempt(
  context: Pick<ServiceContext, 'database' | 'now' | 'logger'>,
  of: { event: string; integration: string; installation: string; time: number; user?: string | undefined },
  result: CallResult,
): Promise<void> {
  const { event, time } = of;
  const attempt = {
    at: new Date(time).toISOString(),
    durationMs: context.now() - time,
    status: 'answer' in result ? result.answer.status : null,
    reason: 'failure' in result ? result.failure.reason : null,
    trace: null,
  };
  await addAttempt(context, of, attempt);
  // It is there when the script has ended, which others do not wait for.
  void result
    .trace(traceWithinMs)
    .then((trace) => (trace === undefined ? undefined : addTrace(context, event, time, trace)))
    .catch((err: unknown) => context.logger.warn({ err, event }, 'a trace was not stored'));
}
