import { AppError } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { Dispatcher } from '../dispatch/index.js';
import { allDeliveries, type AnyDelivery } from '../outbox/index.js';

const soonSeconds = 5;

/**
 * Queues what was delivered once more, as if it were new; the delivery as it is then.
 * @throws AppError `conflict` for one that waits to be delivered
 */
export async function redeliver<T extends AnyDelivery>(call: Call, dispatcher: Dispatcher, found: T): Promise<T> {
  const now = call.now();
  const again = { state: 'queued' as const, reason: null, attempts: 0, nextAt: now, at: now };
  if (found.state === 'queued') throw alreadyQueued();
  const filter = { _id: found._id, state: { $ne: 'queued' as const } };
  const { matchedCount } = await allDeliveries(call).updateOne(filter, { $set: again, $unset: { replay: '' } });
  if (matchedCount === 0) throw alreadyQueued();
  dispatcher.poke();
  const { replay: _, ...others } = found;
  return { ...others, ...again } as T;
}

function alreadyQueued(): AppError {
  return new AppError('conflict', [], { message: 'It waits to be delivered', retryAfter: soonSeconds });
}

/** A refusal of what is not delivered again. */
export function notRedeliverable(message: string): AppError {
  return new AppError('conflict', [], { message });
}
