import { AppError, refuseToken, type Operation } from '@scriptorium/contracts';
import type { Authenticator, Caller } from '../auth/authenticator.js';
import type { Seat } from './seats.js';

const lookEveryMs = 200;
/** A stream without anybody who vouches for its caller ends. */
const doubtMs = 5_000;
const afterDoubtMs = 1_000;

/** A caller as they are known now. */
export interface Watched {
  /** The principal as services receive it. */
  header(): string;
}

/**
 * Looks five times a second whether the caller of a stream still is one, which costs an exchange only when something is said to have changed, and ends the stream
 * when not, or when nobody says so for 5 s.
 */
export function watchCaller(op: Operation, authenticator: Authenticator, credential: string, first: Caller | null, seat: Seat): Watched {
  let caller = first;
  let sure = performance.now();
  const look = async (): Promise<void> => {
    if (seat.ended() !== undefined) return;
    let next = lookEveryMs;
    try {
      caller = authenticator.known(credential) ?? (await authenticator.ask(credential));
      sure = performance.now();
      const refused = refuseToken(op.access, caller.principal);
      if (refused !== null) seat.end(new AppError(refused));
    } catch (error) {
      const doubtful = error instanceof AppError && error.reason === 'unavailable' && performance.now() - sure < doubtMs;
      if (!doubtful) seat.end(error as AppError);
      next = afterDoubtMs;
    }
    setTimeout(() => void look(), next).unref();
  };
  setTimeout(() => void look(), lookEveryMs).unref();
  return { header: () => caller?.header ?? '' };
}
