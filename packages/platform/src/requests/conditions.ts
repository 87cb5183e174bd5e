import { AppError, parseTypes, wireHeader, type TypePositions } from '@scriptorium/contracts';
import type { Conditions as StoreConditions, Store } from '@scriptorium/event-sourcing';

/** What a request asks for beside its input; the gateway has checked the forms. */
export interface Conditions {
  /** Entity tags of which the resource must have one, or `*`. */
  ifMatch: readonly string[] | undefined;
  /** Log position that the answer must not be older than. */
  after: bigint | undefined;
  /** What the caller recorded in other services, by type: the answer must not be older. */
  afterTypes: TypePositions;
  /** Moment or log position as of which the resource is to be shown. */
  asOf: string | undefined;
  /** Nothing is to be recorded. */
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
 * Waits until the read models are as new as the request asks, and as what the caller recorded in other services.
 * @throws `unavailable` for read models that are too old, `invalid_request` for a position that the log has not reached
 */
export async function asNewAs(
  store: Pick<Store, 'reached' | 'shownByType'>,
  { after, afterTypes }: Pick<Conditions, 'after' | 'afterTypes'>,
  deadline: number,
): Promise<void> {
  if (afterTypes.size > 0) await store.shownByType(afterTypes, deadline);
  if (after !== undefined) await reached(store, after);
}

async function reached(store: Pick<Store, 'reached'>, after: bigint): Promise<void> {
  const outcome = await store.reached(after, waitForMs);
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
 * The precondition that `If-Match` means: the resource, as a GET of the same path shows it to this caller, has one of these
 * entity tags when its stream is about to change.
 */
export function matching(
  store: Pick<Store, 'visible'>,
  wanted: readonly string[],
  currentTag: () => Promise<string | undefined>,
): NonNullable<StoreConditions['precondition']> {
  return async (stream) => {
    // It was as wanted when this change was made first.
    if (stream.repeated === true) return;
    if (stream.position >= 0n) await store.visible(stream);
    const tag = await currentTag();
    if (tag === undefined || !(wanted.includes('*') || wanted.includes(tag))) throw new AppError('precondition_failed');
  };
}
