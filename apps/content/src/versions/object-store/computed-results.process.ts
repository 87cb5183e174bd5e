import { AppError, type Reason } from '@scriptorium/contracts';
import { JobQueue, type Scope, type ServiceContext } from '@scriptorium/platform';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  claimResult,
  dropResults,
  findClaim,
  findEarlier,
  findResult,
  keepFailure,
  keepResult,
  readResult,
  releaseResult,
  type AskedResult,
  type FoundResult,
  type ResultFailure,
  type ResultKey,
  type ResultName,
} from './computed-results.operational.js';

/** What was computed. `fault`: why it is not all that there is to compute. */
export interface Computed {
  text: string;
  fault?: AppError | undefined;
}

/** What is computed, and how. */
export interface Computation {
  key: ResultKey;
  organization: string;
  /** `earlier`: the text of an earlier result, that of the main content for another seed. @throws AppError */
  compute: (scope: Scope, earlier: string | undefined) => Promise<Computed>;
}

/** Why something was not computed; `undefined` for what was, or what has no turn yet. */
type Outcome = ResultFailure | undefined;

const operation = 'compute_content';
/** How long one computation may take, and how long no other replica begins the same, ms. */
const [withinMs, claimedMs] = [60_000, 75_000];
/** Computations of one replica. What is too many begins when the content is read again. */
const bounds = { mostAtOnce: 16, mostOfOne: 4, mostWaiting: 256, mostWaitingOfOne: 32 };
/** How often it is looked whether another replica has ended, ms. */
const lookMs = 250;
/** After a failure a source rests, twice as long after each further one. */
const rest = { firstMs: 30_000, longestMs: 3_600_000 };
/** What failed for no reason of its own is tried again after this time, ms. */
const soonMs = 5_000;
const passing: ReadonlySet<Reason> = new Set(['unavailable', 'runtime_unavailable', 'integration_resting']);

type Parts = Pick<ServiceContext, 'database' | 'now' | 'scope' | 'stopping'> & {
  logger: Pick<ServiceContext['logger'], 'error' | 'warn'>;
  store: Pick<ServiceContext['store'], 'scope'>;
};

/**
 * What scripts have computed for spaces. It is kept until the space is purged, so that content can be read while an
 * integration does not answer. Computations go on when whoever began them does not wait any more. Of all replicas one
 * computes, and organizations have their turns in it.
 */
export class ComputedResults {
  readonly #context: Parts;
  readonly #queue = new JobQueue(bounds);
  readonly #running = new Map<string, Promise<Outcome>>();

  constructor(context: Parts) {
    this.#context = context;
  }

  /** What is known of a source. */
  find(key: AskedResult): Promise<FoundResult> {
    return findResult(this.#context, key, this.#context.now());
  }

  /** The text of a result; `undefined` when it is not there any more. */
  text(name: ResultName): Promise<string | undefined> {
    return readResult(this.#context, name);
  }

  /** Whether a source that has failed may be tried again. */
  isDue(failure: ResultFailure | undefined): boolean {
    return failure === undefined || failure.until <= this.#context.now();
  }

  /** Computes something, once for all who ask meanwhile; why it has failed, which is kept. It does not throw. */
  renew(computation: Computation, before: ResultFailure | undefined): Promise<Outcome> {
    const { space, source, seed } = computation.key;
    const name = `${space}/${source}/${seed}`;
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const begun = this.#inTurn(computation, before)
      .catch((err: unknown): Outcome => {
        this.#context.logger.error({ err, space }, 'it is not known whether content was computed');
        return before;
      })
      .finally(() => this.#running.delete(name));
    this.#running.set(name, begun);
    return begun;
  }

  /** Drops what was computed for a space. */
  dropSpace(space: string): Promise<void> {
    return dropResults(this.#context, { space });
  }

  /** Drops what was computed for all spaces of a pool. */
  dropPool(pool: string): Promise<void> {
    return dropResults(this.#context, { pool });
  }

  async #inTurn(computation: Computation, before: Outcome): Promise<Outcome> {
    const outcome = await new Promise<Outcome | 'elsewhere'>((resolve, reject) => {
      const isQueued = this.#queue.add(computation.organization, () =>
        this.#claimed(computation, before).then(resolve, reject),
      );
      if (!isQueued) resolve(before);
    });
    return outcome === 'elsewhere' ? this.#outcomeElsewhere(computation.key) : outcome;
  }

  /** Computes something, unless another replica does, or has done so. */
  async #claimed(computation: Computation, before: Outcome): Promise<Outcome | 'elsewhere'> {
    const { now, stopping } = this.#context;
    if (stopping.aborted) return before;
    const by = randomUUID();
    const until = now() + claimedMs;
    const claimed = await claimResult(this.#context, computation.key, { claim: { by, until }, now: now() });
    return claimed === null ? 'elsewhere' : this.#run(computation, claimed.failure, by);
  }

  /** What comes of what another replica computes. */
  async #outcomeElsewhere(key: ResultKey): Promise<Outcome> {
    const { now, stopping } = this.#context;
    for (;;) {
      const { isClaimed, failure } = await findClaim(this.#context, key, now());
      if (!isClaimed || stopping.aborted) return failure;
      await delay(lookMs, undefined, { ref: false, signal: stopping }).catch(() => undefined);
    }
  }

  async #run({ key, organization, compute }: Computation, before: Outcome, by: string): Promise<Outcome> {
    const context = this.#context;
    try {
      const last = await findEarlier(context, key);
      const earlier = last && (await readResult(context, last));
      const { text, fault } = await compute(this.#scope(organization), earlier);
      const failure = fault && failureOf(fault, before, context.now());
      if (fault !== undefined) context.logger.warn({ err: fault, space: key.space }, 'not all content was computed');
      await keepResult(context, key, { text, failure }, context.now());
      return failure;
    } catch (error) {
      const failure = failureOf(error, before, context.now());
      if (context.stopping.aborted) await releaseResult(context, key, by);
      else {
        context.logger.warn({ err: error, space: key.space }, 'content was not computed');
        await keepFailure(context, key, { failure, by }, context.now());
      }
      return failure;
    }
  }

  #scope(organization: string): Scope {
    const { store, now } = this.#context;
    const actor = { kind: 'system' as const, id: operation };
    const deadline = now() + withinMs;
    return this.#context.scope(
      store.scope({ actor, organization, operation, correlation: randomUUID(), deadline }, {}),
    );
  }
}

function failureOf(error: unknown, before: Outcome, now: number): ResultFailure {
  const { reason, details, message } = error instanceof AppError ? error : new AppError('integration_failed');
  const count = (before?.count ?? 0) + 1;
  const restMs = passing.has(reason) ? soonMs : Math.min(rest.longestMs, rest.firstMs * 2 ** (count - 1));
  return { reason, message: details[0]?.message ?? message, count, until: now + restMs };
}
