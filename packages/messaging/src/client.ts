import { type Msg } from '@nats-io/transport-node';
import { AppError } from '@scriptorium/contracts';
import { cancelIncoming, type Incoming, refuseTransfer, startIncoming, takePart } from './incoming.js';
import { MAX_BODY_BYTES, MAX_DEADLINE_MS, MAX_PENDING_REQUESTS } from './limits.js';
import { type Link, send } from './link.js';
import { needsParts, type Outgoing, startOutgoing } from './outgoing.js';
import { decodeHeaders, encodeHeaders, NO_BODY, operationSubject, ownHeaders, wire } from './wire.js';
import { decodeError, tooLarge, unavailable } from './wire-errors.js';

/** A request to one operation of a service. */
export interface Call {
  readonly service: string;
  readonly operation: string;
  readonly body: Uint8Array;
  /** Request id, principal, trace and the like. Names are header tokens that do not begin with `Rpc-`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds until the caller stops waiting. The service gets this deadline too. */
  readonly timeoutMs: number;
}

/** An answer. `body` may share memory with other messages, so copy it to keep it for long. */
export interface Answer {
  readonly body: Uint8Array;
  readonly headers: Record<string, string>;
}

export interface MessagingClient {
  /**
   * Sends a request to one replica of the service and returns its answer. Rejects with the `AppError` that the service
   * threw; with `unavailable` immediately when there is no connection or no replica, or when the connection is lost,
   * and after `timeoutMs`; with `too_large` beyond 32 MiB.
   */
  request(call: Call): Promise<Answer>;
}

interface Pending {
  readonly link: Link;
  readonly end: (outcome: Answer | AppError) => void;
  subject: string;
  outgoing: Outgoing | undefined;
  incoming: Incoming | undefined;
}

/**
 * Creates a client that uses the inbox of the connection: one subscription, and a map from token to waiting request.
 */
export function createClient(link: Link): MessagingClient {
  const waiting = new Set<Pending>();
  link.onDisconnect(() => {
    for (const pending of [...waiting]) pending.end(unavailable('The connection to the services was lost, try again'));
  });
  return {
    request(call) {
      return new Promise((resolve, reject) => {
        const settle = (outcome: Answer | AppError) =>
          outcome instanceof AppError ? reject(outcome) : resolve(outcome);
        link.turn.add(() => {
          try {
            start(link, waiting, call, settle);
          } catch (error) {
            reject(error as AppError);
          }
        });
      });
    },
  };
}

function start(link: Link, waiting: Set<Pending>, call: Call, settle: (outcome: Answer | AppError) => void): void {
  const subject = operationSubject(link.namespace, call.service, call.operation);
  const deadline = Math.min(Math.floor(call.timeoutMs), MAX_DEADLINE_MS);
  if (call.body.length > MAX_BODY_BYTES) throw tooLarge(call.body.length, MAX_BODY_BYTES);
  if (!link.isConnected()) throw unavailable('The services cannot be reached, try again');
  if (!(deadline > 0)) throw unavailable('The deadline has passed');
  if (waiting.size >= MAX_PENDING_REQUESTS) throw unavailable('Too many requests are waiting, try again');

  const end = (outcome: Answer | AppError) => {
    if (!waiting.delete(pending)) return;
    clearTimeout(timer);
    link.inbox.close(pending.subject);
    pending.outgoing?.cancel();
    if (pending.incoming !== undefined) cancelIncoming(pending.incoming);
    settle(outcome);
  };
  const pending: Pending = { link, end, subject: '', outgoing: undefined, incoming: undefined };
  pending.subject = link.inbox.open((message) => onMessage(pending, message));
  waiting.add(pending);
  const timer = setTimeout(() => end(unavailable(`${call.service} did not answer in time`)), deadline);
  try {
    ask(link, pending, subject, call, deadline);
  } catch (error) {
    end(error as AppError);
  }
}

function ask(link: Link, pending: Pending, subject: string, call: Call, deadline: number): void {
  const own: Record<string, string> = { [wire.deadline]: String(deadline) };
  if (!needsParts(link, call.body)) {
    return send(link, subject, call.body, encodeHeaders(call.headers, own), pending.subject);
  }
  own[wire.transfer] = String(call.body.length);
  pending.outgoing = startOutgoing(link, call.body, { done: () => undefined, failed: pending.end });
  send(link, subject, NO_BODY, encodeHeaders(call.headers, own), pending.subject);
}

function onMessage(pending: Pending, message: Msg): void {
  const { headers } = message;
  if (headers?.code === 503 && message.data.length === 0) {
    return pending.end(unavailable('No replica of the service is running, try again'));
  }
  const {
    [wire.credit]: credit,
    [wire.part]: part,
    [wire.error]: error,
    [wire.transfer]: transfer,
  } = ownHeaders(message);
  if (credit !== undefined) return pending.outgoing?.onCredit(message);
  if (part !== undefined) {
    if (pending.incoming !== undefined) takePart(pending.incoming, message);
    return;
  }
  if (error !== undefined) return pending.end(decodeError(error, message.data));
  if (transfer !== undefined) return receive(pending, message);
  pending.end({ body: message.data, headers: decodeHeaders(message) });
}

function receive(pending: Pending, opening: Msg): void {
  if (pending.incoming !== undefined) return;
  const headers = decodeHeaders(opening);
  try {
    pending.incoming = startIncoming(pending.link, opening, pending.subject, {
      done: ({ body, release }) => {
        release();
        pending.end({ body, headers });
      },
      failed: pending.end,
    });
  } catch (error) {
    refuseTransfer(pending.link, opening.reply ?? '', error as AppError);
    pending.end(error as AppError);
  }
}
