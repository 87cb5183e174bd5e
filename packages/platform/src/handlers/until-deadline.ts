import { AppError } from '@scriptorium/contracts';
import type { InternalCall } from './handles.js';

/**
 * Tries work again as long as something else was faster, which the work tells by `moved`.
 * @throws AppError `conflict` when the deadline of the call comes first, and whatever the work throws
 */
export async function untilDeadline<T>(
  call: Pick<InternalCall, 'now' | 'deadline'>,
  work: () => Promise<T | 'moved'>,
): Promise<T> {
  for (;;) {
    const done = await work();
    if (done !== 'moved') return done;
    if (call.now() >= call.deadline) throw new AppError('conflict', [], { retryAfter: 1 });
  }
}
