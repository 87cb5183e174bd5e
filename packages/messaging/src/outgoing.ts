import { type Msg } from '@nats-io/transport-node';
import { type AppError } from '@scriptorium/contracts';
import { MAX_BODY_BYTES, MAX_PART_BYTES, TRANSFER_IDLE_MS, wholeBodyBytes } from './limits.js';
import { type Link, maxPayload, send } from './link.js';
import { encodeHeaders, numberHeader, wire } from './wire.js';
import { unavailable } from './wire-errors.js';

/** A body that is sent in parts. */
export interface Outgoing {
  /** Handles a credit message. Its reply subject accepts further parts. */
  onCredit(message: Msg): void;
  cancel(): void;
}

/** Ends a transfer, once, with a result or an error. */
export interface TransferEnd<T> {
  readonly done: (result: T) => void;
  readonly failed: (error: AppError) => void;
}

/** Whether a body has to be sent in parts on this connection. */
export function needsParts(link: Link, body: Uint8Array): boolean {
  return body.length > wholeBodyBytes(maxPayload(link));
}

/**
 * Prepares to send `body` in parts, as the receiver grants credit. Throws `unavailable` when the transfers of the
 * connection hold too many bytes. Ends with `unavailable` after 5 s without credit.
 */
export function startOutgoing(link: Link, body: Uint8Array, end: TransferEnd<void>): Outgoing {
  const release = link.budget.take(body.length);
  if (release === undefined) throw unavailable('Too many large transfers are under way, try again');
  const partBytes = Math.min(wholeBodyBytes(maxPayload(link)), MAX_PART_BYTES);
  let sent = 0;
  let allowed = 0;
  let open = true;
  const close = () => {
    open = false;
    clearTimeout(idle);
    release();
  };
  const fail = (error: AppError) => {
    if (!open) return;
    close();
    end.failed(error);
  };
  const idle = setTimeout(() => fail(unavailable('The receiver of a large body stopped answering')), TRANSFER_IDLE_MS);

  return {
    onCredit(message) {
      const credit = numberHeader(message, wire.credit, 1, MAX_BODY_BYTES);
      const peer = message.reply ?? '';
      if (!open || credit === undefined || peer === '') return;
      idle.refresh();
      allowed = Math.min(allowed + credit, body.length);
      try {
        for (; sent < allowed; sent += partBytes) {
          const part = body.subarray(sent, sent + partBytes);
          send(link, peer, part, encodeHeaders({}, { [wire.part]: String(sent) }));
        }
      } catch (error) {
        return fail(error as AppError);
      }
      if (sent < body.length) return;
      close();
      end.done();
    },
    cancel: () => open && close(),
  };
}
