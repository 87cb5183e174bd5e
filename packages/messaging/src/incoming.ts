import { type Msg } from '@nats-io/transport-node';
import { type AppError } from '@scriptorium/contracts';
import { MAX_BODY_BYTES, TRANSFER_IDLE_MS, TRANSFER_WINDOW_BYTES } from './limits.js';
import { type Link, send } from './link.js';
import { type TransferEnd } from './outgoing.js';
import { encodeHeaders, NO_BODY, numberHeader, wire } from './wire.js';
import { encodeError, tooLarge, unavailable } from './wire-errors.js';

/** A body that is received in parts. */
export interface Incoming {
  readonly link: Link;
  /** The subject on which the sender receives credit, and the one on which its parts arrive. */
  readonly peer: string;
  readonly own: string;
  readonly body: Uint8Array;
  readonly release: () => void;
  readonly end: TransferEnd<Received>;
  readonly idle: NodeJS.Timeout;
  received: number;
  granted: number;
  open: boolean;
}

/** A whole body. `release` returns its bytes to the budget. */
export interface Received {
  readonly body: Uint8Array;
  readonly release: () => void;
}

/**
 * Answers the first message of a transfer with credit. The parts arrive on the subject `own`.
 * Throws `too_large` beyond 32 MiB and `unavailable` when the budget is used up. Ends with `unavailable` after 5 s
 * without a message, or when a part is missing: the parts of one sender arrive in order or not at all.
 */
export function startIncoming(link: Link, opening: Msg, own: string, end: TransferEnd<Received>): Incoming {
  const total = numberHeader(opening, wire.transfer, 1, Number.MAX_SAFE_INTEGER);
  const peer = opening.reply ?? '';
  if (total === undefined || peer === '') throw unavailable('A malformed transfer was refused');
  if (total > MAX_BODY_BYTES) throw tooLarge(total, MAX_BODY_BYTES);
  const release = link.budget.take(total);
  if (release === undefined) throw unavailable('Too many large transfers are under way, try again');
  const silence = () => fail(incoming, unavailable('The sender of a large body stopped sending'));
  const incoming: Incoming = {
    link,
    peer,
    own,
    // The system provides memory only when it is written to, so announcing a length costs nothing.
    body: Buffer.allocUnsafeSlow(total),
    release,
    end,
    idle: setTimeout(silence, TRANSFER_IDLE_MS),
    received: 0,
    granted: 0,
    open: true,
  };
  try {
    grant(incoming, Math.min(total, TRANSFER_WINDOW_BYTES));
  } catch (error) {
    close(incoming);
    release();
    throw error;
  }
  return incoming;
}

/** Takes the next part, and grants further credit before the sender has used all of it. */
export function takePart(incoming: Incoming, message: Msg): void {
  const { body, received, granted } = incoming;
  const { data } = message;
  if (!incoming.open) return;
  const next = received + data.length;
  if (numberHeader(message, wire.part, 0, MAX_BODY_BYTES) !== received || next === received || next > body.length) {
    return fail(incoming, unavailable('A part of a large body was lost, try again'));
  }
  incoming.idle.refresh();
  body.set(data, received);
  incoming.received = next;
  if (next === body.length) {
    close(incoming);
    return incoming.end.done({ body, release: incoming.release });
  }
  const ahead = granted - next;
  if (ahead > TRANSFER_WINDOW_BYTES / 2 || granted >= body.length) return;
  try {
    grant(incoming, Math.min(body.length - granted, TRANSFER_WINDOW_BYTES - ahead));
  } catch (error) {
    fail(incoming, error as AppError);
  }
}

/** Cancels a transfer and tells its sender. */
export function cancelIncoming(incoming: Incoming): void {
  if (!incoming.open) return;
  close(incoming);
  incoming.release();
  sendError(incoming.link, incoming.peer, unavailable('The receiver has cancelled the transfer'));
}

/** Sends an error to somebody who waits, such as the sender of a body that nobody receives. */
export function sendError(link: Link, peer: string, error: AppError): void {
  if (peer === '' || !link.isConnected()) return;
  try {
    send(link, peer, encodeError(error), encodeHeaders({}, { [wire.error]: error.reason }));
  } catch (cause) {
    // Who waits finds out by its own timeout.
    link.logger.warn({ err: cause }, 'an error could not be sent');
  }
}

function grant(incoming: Incoming, bytes: number): void {
  incoming.granted += bytes;
  send(incoming.link, incoming.peer, NO_BODY, encodeHeaders({}, { [wire.credit]: String(bytes) }), incoming.own);
}

function fail(incoming: Incoming, error: AppError): void {
  if (!incoming.open) return;
  close(incoming);
  incoming.release();
  incoming.end.failed(error);
}

function close(incoming: Incoming): void {
  incoming.open = false;
  clearTimeout(incoming.idle);
}
