import { type Msg } from '@nats-io/transport-node';
import { type AppError } from '@scriptorium/contracts';
import { type Connection, mostInMessage, send, sendError } from './connection.js';
import {
  MAX_BODY_BYTES,
  MAX_PART_BYTES,
  MAX_TRANSFER_BYTES,
  TRANSFER_IDLE_MS,
  TRANSFER_WINDOW_BYTES,
} from './limits.js';
import { encodeHeaders, NO_BODY, numberHeader, tooLarge, unavailable, wire } from './wire.js';

/** A body that is sent or received in parts. */
export interface Transfer {
  /** Takes a message of the other side: credit where the body is sent, a part where it is received. */
  take(message: Msg): void;
  /** Ends the transfer without a result. */
  cancel(): void;
}

/** Whether a body has to be sent in parts on this connection. */
export function needsParts(connection: Connection, body: Uint8Array): boolean {
  return body.length > mostInMessage(connection);
}

/**
 * Prepares to send `body` in parts, as the receiver grants credit. Throws `unavailable` when the transfers of the
 * connection hold too many bytes. Ends with `unavailable` after 5 s without credit.
 */
export function sendInParts(
  connection: Connection,
  body: Uint8Array,
  failed: (error: AppError) => void,
  done?: () => void,
): Transfer {
  const held = hold(connection, body.length, 'The receiver of a large body stopped answering', failed);
  const partBytes = Math.min(mostInMessage(connection), MAX_PART_BYTES);
  let sent = 0;
  let allowed = 0;
  return {
    take(message) {
      const credit = numberHeader(message, wire.credit, 1, MAX_BODY_BYTES);
      const peer = message.reply ?? '';
      if (!held.open || credit === undefined || peer === '') return;
      held.idle.refresh();
      allowed = Math.min(allowed + credit, body.length);
      held.attempt(() => {
        for (; sent < allowed; sent += partBytes) {
          const headers = encodeHeaders({}, { [wire.part]: String(sent) });
          send(connection, peer, body.subarray(sent, sent + partBytes), { headers });
        }
      });
      if (!held.open || sent < body.length) return;
      held.end();
      done?.();
    },
    cancel: () => void held.end(),
  };
}

/** What becomes of a body that is received in parts. */
interface Receiver {
  /** Gets the whole body, and the function that gives its bytes back to the limit of the connection. */
  readonly done: (body: Uint8Array, release: () => void) => void;
  readonly failed: (error: AppError) => void;
}

/**
 * Answers the first message of a transfer with credit. The parts arrive on the subject `own`.
 * Throws `too_large` beyond 32 MiB and `unavailable` when the transfers of the connection hold too many bytes. Ends
 * with `unavailable` after 5 s without a message, or when a part is missing: the parts of one sender arrive in order or
 * not at all.
 */
export function receiveParts(connection: Connection, opening: Msg, own: string, { done, failed }: Receiver): Transfer {
  const total = numberHeader(opening, wire.transfer, 1, Number.MAX_SAFE_INTEGER);
  const peer = opening.reply ?? '';
  if (total === undefined || peer === '') throw unavailable('A malformed transfer was refused');
  if (total > MAX_BODY_BYTES) throw tooLarge(total, MAX_BODY_BYTES);
  const held = hold(connection, total, 'The sender of a large body stopped sending', failed);
  // The system provides memory only when it is written to, so announcing a length costs nothing.
  const body = Buffer.allocUnsafeSlow(total);
  let received = 0;
  let granted = 0;
  const grant = () => {
    const bytes = Math.min(total - granted, TRANSFER_WINDOW_BYTES - (granted - received));
    granted += bytes;
    const headers = encodeHeaders({}, { [wire.credit]: String(bytes) });
    held.attempt(() => send(connection, peer, NO_BODY, { headers, reply: own }));
  };
  grant();
  return {
    take(message) {
      const { data } = message;
      if (!held.open) return;
      const isNext = data.length > 0 && numberHeader(message, wire.part, 0, MAX_BODY_BYTES) === received;
      if (!isNext || received + data.length > total) {
        return held.fail(unavailable('A part of a large body was lost, try again'));
      }
      held.idle.refresh();
      body.set(data, received);
      received += data.length;
      if (received === total) {
        held.close();
        return done(body, () => held.release());
      }
      // Further credit is granted before the sender has used all of it.
      if (granted < total && granted - received <= TRANSFER_WINDOW_BYTES / 2) grant();
    },
    cancel() {
      if (held.end()) sendError(connection, peer, unavailable('The receiver has cancelled the transfer'));
    },
  };
}

/** What an open transfer holds: bytes of the limit of its connection, and a timer. */
interface Held {
  open: boolean;
  readonly idle: NodeJS.Timeout;
  /** Gives the bytes back. */
  release(): void;
  /** Closes the transfer, which keeps its bytes. */
  close(): void;
  /** Closes the transfer and gives its bytes back. Returns false when it was closed before. */
  end(): boolean;
  fail(error: AppError): void;
  /** Fails with the error of what cannot be sent. */
  attempt(work: () => void): void;
}

function hold(connection: Connection, bytes: number, silence: string, failed: (error: AppError) => void): Held {
  if (connection.transferBytes + bytes > MAX_TRANSFER_BYTES) {
    throw unavailable('Too many large transfers are under way, try again');
  }
  connection.transferBytes += bytes;
  const held: Held = {
    open: true,
    idle: setTimeout(() => held.fail(unavailable(silence)), TRANSFER_IDLE_MS),
    release: () => void (connection.transferBytes -= bytes),
    close() {
      held.open = false;
      clearTimeout(held.idle);
    },
    end() {
      if (!held.open) return false;
      held.close();
      held.release();
      return true;
    },
    fail(error) {
      if (held.end()) failed(error);
    },
    attempt(work) {
      try {
        work();
      } catch (error) {
        held.fail(error as AppError);
      }
    },
  };
  return held;
}
