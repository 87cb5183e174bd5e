import { AppError, parseTypes, wireHeader, type TypePositions } from '@scriptorium/contracts';
import type { Conditions as StoreConditions, Store } from '@scriptorium/event-sourcing';

/** The conditions of a request besides its input. The gateway has checked their format. */
export interface Conditions {
  /** Entity tags, one of which the resource must have, or `*`. */
  ifMatch: readonly string[] | undefined;
  /** The position up to which the read models must be. */
  after: bigint | undefined;
  /** Positions of events that the caller recorded in other services, by type. The read models must contain them. */
  afterTypes: TypePositions;
  /** The moment or position at which the resource is shown. */
  asOf: string | undefined;
  /** Whether the request is a dry run. */
  dry: boolean;
}

/** Reads the conditions from the headers between gateway and service. */
export function conditionsOf(headers: Readonly<Record<string, string>>): Conditions {
  const {
    [wireHeader.ifMatch]: ifMatch,
    [wireHeader.after]: after,
    [wireHeader.afterTypes]: afterTypes,
    [wireHeader.asOf]: asOf,
    [wireHeader.dryRun]: dry,
  } = headers;
  return {
    ifMatch: ifMatch?.split(','),
    after: after === undefined ? undefined : BigInt(after),
    afterTypes: parseTypes(afterTypes),
    asOf,
    dry: dry === 'true',
  };
}

const waitForMs = 2_000;

/**
 * Waits until the read models contain what the request requires, and what the caller has recorded in other services.
 * @throws AppError `unavailable` when they do not in time, `invalid_request` for a position that the log has not
 * reached
 */
export async function asNewAs(
  store: Pick<Store, 'waitForPosition' | 'waitForTypes'>,
  { after, afterTypes }: Pick<Conditions, 'after' | 'afterTypes'>,
  deadline: number,
): Promise<void> {
  if (afterTypes.size > 0) await store.waitForTypes(afterTypes, deadline);
  if (after !== undefined) await requirePosition(store, after);
}

async function requirePosition(store: Pick<Store, 'waitForPosition'>, after: bigint): Promise<void> {
  const outcome = await store.waitForPosition(after, waitForMs);
  if (outcome === 'reached') return;
  if (outcome === 'late')
    throw new AppError('unavailable', [], {
      message: 'The answer would be older than Scriptorium-After asks for',
      retryAfter: 1,
    });
  const message = 'Must be a position of a Scriptorium-Position header';
  throw new AppError('invalid_request', [{ path: 'headers.scriptorium-after', message }], {
    message: `Scriptorium-After: ${message}`,
  });
}

/**
 * The precondition of `If-Match`: when the stream of the resource is about to change, a GET of the same path by this
 * caller would have one of these entity tags.
 */
export function matching(
  store: Pick<Store, 'waitUntilVisible'>,
  wanted: readonly string[],
  currentTag: () => Promise<string | undefined>,
): NonNullable<StoreConditions['precondition']> {
  return async (stream) => {
    // The precondition held when this change was first carried out.
    if (stream.repeated === true) return;
    if (stream.position >= 0n) await store.waitUntilVisible(stream);
    const tag = await currentTag();
    if (tag === undefined || !(wanted.includes('*') || wanted.includes(tag))) throw new AppError('precondition_failed');
  };
}
