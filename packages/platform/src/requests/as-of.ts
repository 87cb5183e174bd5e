import { AppError, blaming, invalid, type Operation } from '@scriptorium/contracts';
import type { Past, Store, Until } from '@scriptorium/event-sourcing';

/** What a read of an earlier state needs. */
export interface Archive {
  store: Pick<Store, 'past'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * The events of the resource that an operation shows, up to `?asOf`.
 * @throws AppError `invalid_request` naming the parameter for a future moment or a position of before a move,
 * `history_too_long`
 */
export async function pastOf(
  { store, now }: Archive,
  { service, history }: Operation,
  params: Readonly<Record<string, string>>,
  asOf: string,
): Promise<Past> {
  if (history === undefined) throw new AppError('unexpected');
  const until = untilOf(asOf);
  const past =
    'time' in until && Date.parse(until.time) > now()
      ? 'later'
      : await store.past({ service, entity: history.entity }, params[history.id] ?? '', until).catch(tooLong);
  if (past === 'former')
    throw invalid('query.asOf', 'Must be a time: positions of before the installation was moved mean nothing any more');
  if (past === 'later') throw invalid('query.asOf', 'Must not be in the future');
  return past;
}

function tooLong(error: unknown): never {
  throw error instanceof AppError && error.reason === 'history_too_long'
    ? blaming('history_too_long', 'query.asOf')
    : error;
}

/** The gateway has checked the format. */
function untilOf(asOf: string): Until {
  return /^\d+$/.test(asOf) ? { position: BigInt(asOf) } : { time: new Date(asOf).toISOString() };
}
