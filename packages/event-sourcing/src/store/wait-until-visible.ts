import { AppError } from '@scriptorium/contracts';
import { type Written } from '../commands/work.js';
import { type Progress } from '../projections/progress.js';
import { type AnyProjection } from '../projections/projection.js';
import { reservationEvents } from '../reservations/reservation.js';
import { type Runtime } from './runtime.js';

const visibleWithin = 2000;
/** For commands without a deadline, ms. */
const longestWait = 8_000;
/** An answer has to be sent as well, ms. */
export const timeToAnswer = 500;

interface Waiting extends Pick<Runtime, 'metrics' | 'clock'> {
  projections: readonly Pick<AnyProjection, 'collection' | 'types'>[];
  progress: Pick<Progress, 'wait'>;
}

/**
 * Waits until the live projections show what was written. An answer must not show less than what it answers for: beyond
 * the 2 s that are counted, while another replica takes the projections over, it waits on until the deadline (epoch ms)
 * is near.
 * @throws `unavailable` then: the change is recorded, and the reader does not know it
 */
export async function shown(waiting: Waiting, written: Written, deadline: number | undefined): Promise<void> {
  if (await waitUntilVisible(waiting, written)) return;
  const now = waiting.clock.now();
  const left = (deadline ?? now + longestWait) - now - timeToAnswer;
  const names = consumersOf(waiting, written);
  if (left > 0 && (await waiting.progress.wait(names, written.position, left))) return;
  throw new AppError('unavailable', [], { message: 'The change is recorded, but cannot be shown yet', retryAfter: 1 });
}

/** The same for at most 2 s; false when that was not enough. */
export async function waitUntilVisible(waiting: Waiting, written: Written): Promise<boolean> {
  const names = consumersOf(waiting, written);
  if (names.length === 0 || (await waiting.progress.wait(names, written.position, visibleWithin))) return true;
  waiting.metrics.waitExceeded?.();
  return false;
}

/**
 * Waits until the live projections show what was recorded elsewhere, also by another service: each projection is waited
 * for up to the last position of a type that it consumes, and not at all if it consumes none of them. Types of
 * reservations are not waited for: each service has streams of its own with these types, and never sees those of
 * another. `deadline`: epoch ms; 8 s from now without one.
 * @throws `unavailable` near the deadline
 */
export async function waitForTypes(
  waiting: Waiting,
  positions: ReadonlyMap<string, bigint>,
  deadline: number = waiting.clock.now() + longestWait,
): Promise<void> {
  const told = [...positions].filter(([type]) => !reservationEvents.types.includes(type));
  const targets = waiting.projections.flatMap(({ collection, types }) => {
    const last = told.reduce((max, [type, at]) => (types.has(type) && at > max ? at : max), -1n);
    return last < 0n ? [] : [{ collection, last }];
  });
  const left = (): number => deadline - waiting.clock.now() - timeToAnswer;
  const wait = async (ms: number): Promise<boolean> => {
    const waits = targets.map(({ collection, last }) => waiting.progress.wait([collection], last, Math.max(0, ms)));
    return (await Promise.all(waits)).every((passed) => passed);
  };
  if (await wait(Math.min(visibleWithin, left()))) return;
  waiting.metrics.waitExceeded?.();
  if (left() > 0 && (await wait(left()))) return;
  const message = 'The answer would be older than what the caller has changed in another service';
  throw new AppError('unavailable', [], { message, retryAfter: 1 });
}

function consumersOf({ projections }: Waiting, { types }: Written): string[] {
  return projections
    .filter((projection) => types.some((type) => projection.types.has(type)))
    .map(({ collection }) => collection);
}
