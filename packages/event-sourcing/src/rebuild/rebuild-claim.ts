import { AppError } from '@scriptorium/contracts';
import { type Consumers, type ConsumerEntry } from '../leases/consumers.js';
import { staleAfter, sureFor } from '../leases/lease-manager.js';
import { type Clock, pause } from '../process/time.js';

export interface ClaimParts {
  consumers: Consumers;
  clock: Clock;
  /** Aborts when the store stops. */
  stopped: AbortController;
}

/** The right to rebuild a projection, which one has at a time. */
export interface RebuildClaim {
  /** Nobody else ever has the same. */
  readonly epoch: number;
  /** Aborts when the rebuild must end; `check` says why. */
  readonly signal: AbortSignal;
  /** Throws `conflict` when another one has taken over, `unavailable` when the store stops or the time is over. */
  readonly check: () => void;
  /** Never rejects: a claim that cannot be released is taken over. */
  release(): Promise<void>;
}

const beatEvery = 500;
const lookEvery = 100;

/**
 * Claims the rebuild of a projection for a run of its own until `deadline` (epoch ms). Somebody else's claim that beats
 * is a `conflict`; one that does not for 3 s is taken over.
 */
export async function claimRebuild(
  parts: ClaimParts,
  collection: string,
  owner: string,
  deadline: number,
): Promise<RebuildClaim> {
  const { consumers, clock, stopped } = parts;
  const name = `rebuild_${collection}`;
  await consumers.declare([{ name, fingerprint: 'task', position: -1n }]);
  const { epoch, since } = await takeWhenFree(parts, name, owner);
  const ended = new AbortController();
  const end = (error: AppError): void => ended.abort(error);
  const onStop = (): void => end(new AppError('unavailable', [], { message: 'The service stops' }));
  const timer = setTimeout(
    () =>
      end(
        new AppError('unavailable', [], {
          message: 'The rebuild took longer than a request may; nothing is left of it',
        }),
      ),
    Math.max(0, deadline - clock.now()),
  );
  stopped.signal.addEventListener('abort', onStop, { once: true });
  if (stopped.signal.aborted) onStop();
  const beating = keepBeating(parts, { name, owner, since }, ended.signal, () => end(takenOver()));
  return {
    epoch,
    signal: ended.signal,
    check: () => ended.signal.throwIfAborted(),
    async release() {
      clearTimeout(timer);
      stopped.signal.removeEventListener('abort', onStop);
      end(new AppError('unavailable'));
      await beating;
      await consumers.release([name], owner).catch(() => undefined);
    },
  };
}

function takenOver(): AppError {
  return new AppError('conflict', [], { message: 'Another rebuild of the projection has taken over' });
}

/** `since`: monotonic, when it was about to be taken. */
async function takeWhenFree(
  { consumers, clock, stopped }: ClaimParts,
  name: string,
  owner: string,
): Promise<{ epoch: number; since: number }> {
  const conflict = new AppError('conflict', [], { message: 'The projection is being rebuilt already' });
  const watched = clock.monotonic();
  const first = await read(consumers, name);
  for (
    let now = first;
    now.owner !== null && clock.monotonic() - watched < staleAfter;
    now = await read(consumers, name)
  ) {
    if (now.epoch !== first.epoch || now.beat !== first.beat) throw conflict;
    if (stopped.signal.aborted) throw new AppError('unavailable', [], { message: 'The service stops' });
    await pause(lookEvery, stopped.signal);
  }
  const seen = await read(consumers, name);
  if (seen.owner !== null && (seen.epoch !== first.epoch || seen.beat !== first.beat)) throw conflict;
  const since = clock.monotonic();
  if (!(await consumers.take(name, seen, owner))) throw conflict;
  return { epoch: seen.epoch + 1, since };
}

async function read(consumers: Consumers, name: string): Promise<ConsumerEntry> {
  const entry = (await consumers.read([name])).get(name);
  if (entry === undefined) throw new AppError('unexpected', [], { message: `${name} was never declared` });
  return entry;
}

/** Who could not beat for as long as a holder may be sure is none any more. */
async function keepBeating(
  { consumers, clock }: ClaimParts,
  { name, owner, since }: { name: string; owner: string; since: number },
  ended: AbortSignal,
  lost: () => void,
): Promise<void> {
  for (let sureUntil = since + sureFor; !ended.aborted;) {
    const asked = clock.monotonic();
    const beaten = await consumers.beat([name], owner).catch(() => undefined);
    if (beaten === 1) sureUntil = asked + sureFor;
    if (beaten === 0 || clock.monotonic() >= sureUntil) lost();
    await pause(beatEvery, ended);
  }
}
