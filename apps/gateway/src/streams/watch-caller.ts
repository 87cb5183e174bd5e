import { AppError, refuseToken, type Operation } from '@scriptorium/contracts';
import type { Authenticator, Caller } from '../auth/authenticator.js';
import type { OpenStream } from './stream-registry.js';

const checkEveryMs = 200;
/** A stream ends when identity could not be asked about its caller for this long. */
const unknownForMs = 5_000;
const retryMs = 1_000;

/** The caller of a stream. */
export interface WatchedCaller {
  /** The principal as services receive it. */
  header(): string;
}

/**
 * Checks five times a second whether the caller of a stream may still read it, and ends the stream when not, or when
 * identity does not answer for 5 s. A check asks identity only after a change was announced.
 */
export function watchCaller(
  op: Operation,
  authenticator: Authenticator,
  credential: string,
  first: Caller | null,
  stream: OpenStream,
): WatchedCaller {
  let caller = first;
  let confirmedAt = performance.now();
  const check = async (): Promise<void> => {
    if (stream.ended() !== undefined) return;
    let next = checkEveryMs;
    try {
      caller = authenticator.known(credential) ?? (await authenticator.ask(credential));
      confirmedAt = performance.now();
      const refused = refuseToken(op.access, caller.principal);
      if (refused !== null) stream.end(new AppError(refused));
    } catch (error) {
      const isUnavailable = error instanceof AppError && error.reason === 'unavailable';
      if (!isUnavailable || performance.now() - confirmedAt >= unknownForMs) stream.end(error as AppError);
      next = retryMs;
    }
    setTimeout(() => void check(), next).unref();
  };
  setTimeout(() => void check(), checkEveryMs).unref();
  return { header: () => caller?.header ?? '' };
}
