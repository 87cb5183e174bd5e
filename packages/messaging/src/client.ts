import { type Msg } from '@nats-io/transport-node';
import { AppError } from '@scriptorium/contracts';
import { decodeMessageBatch, encodeMessageBatch, type Entry } from './batch.js';
import { type Connection, mayShare, send, sendError } from './connection.js';
import { MAX_BODY_BYTES, MAX_DEADLINE_MS, MAX_PENDING_REQUESTS } from './limits.js';
import { needsParts, receiveParts, sendInParts, type Transfer } from './transfer.js';
import {
  decodeError,
  decodeHeaders,
  encodeHeaders,
  MANY,
  NO_BODY,
  operationSubject,
  ownHeaders,
  tokenOf,
  tooLarge,
  unavailable,
  wire,
} from './wire.js';

/** A request to one operation of a service. */
export interface ServiceRequest {
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
  readonly headers: Readonly<Record<string, string>>;
}

export interface MessagingClient {
  /**
   * Sends a request to one replica of the service and returns its answer. Rejects with the `AppError` that the service
   * threw; with `unavailable` immediately when there is no connection or no replica, or when the connection is lost,
   * and after `timeoutMs`; with `too_large` beyond 32 MiB.
   */
  request(call: ServiceRequest): Promise<Answer>;
}

type Settle = (outcome: Answer | AppError) => void;

/** A request without an answer. */
interface Pending {
  /** The service; requests to the same one may share a message. */
  readonly to: string;
  readonly subject: string;
  /** The private subject on which the answer arrives. */
  readonly reply: string;
  readonly entry: Entry;
  readonly end: Settle;
  /** The body of the request, and the one of the answer, if they are transferred in parts. */
  outgoing: Transfer | undefined;
  incoming: Transfer | undefined;
  /** Called at the end of a request that shared a message with others. */
  left: (() => void) | undefined;
}

interface Client {
  readonly connection: Connection;
  /** By the last token of their private subject. */
  readonly waiting: Map<string, Pending>;
  /** Sends a request at the end of the turn. */
  readonly post: (request: Pending) => void;
}

/**
 * Creates a client that uses the inbox of the connection: one subscription, and a map from token to waiting request.
 */
export function createClient(connection: Connection): MessagingClient {
  const waiting = new Map<string, Pending>();
  const post = connection.turn.gather<Pending>((requests) => sendAll(client, requests));
  const client: Client = { connection, waiting, post };
  connection.lost.add(() => {
    for (const pending of [...waiting.values()])
      pending.end(unavailable('The connection to the services was lost, try again'));
  });
  return {
    request(call) {
      return new Promise((resolve, reject) => {
        // An error here (too large, not connected) rejects the promise.
        start(client, call, (outcome) => (outcome instanceof AppError ? reject(outcome) : resolve(outcome)));
      });
    },
  };
}

function start(client: Client, call: ServiceRequest, settle: Settle): void {
  const { connection, waiting } = client;
  const { service: to, operation, headers, body } = call;
  const subject = operationSubject(connection.namespace, to, operation);
  const deadline = Math.min(Math.floor(call.timeoutMs), MAX_DEADLINE_MS);
  if (body.length > MAX_BODY_BYTES) throw tooLarge(body.length, MAX_BODY_BYTES);
  if (!connection.connected) throw unavailable('The services cannot be reached, try again');
  if (!(deadline > 0)) throw unavailable('The deadline has passed');
  if (waiting.size >= MAX_PENDING_REQUESTS) throw unavailable('Too many requests are waiting, try again');

  const reply = connection.inbox.open((message) => onMessage(client, pending, message));
  const token = tokenOf(reply);
  const timer = setTimeout(() => pending.end(unavailable(`${to} did not answer in time`)), deadline);
  const pending: Pending = {
    to,
    subject,
    reply,
    entry: { token, operation, own: { [wire.deadline]: String(deadline) }, headers, body },
    end(outcome) {
      if (!waiting.delete(token)) return;
      clearTimeout(timer);
      connection.inbox.close(reply);
      pending.left?.();
      pending.outgoing?.cancel();
      pending.incoming?.cancel();
      settle(outcome);
    },
    outgoing: undefined,
    incoming: undefined,
    left: undefined,
  };
  waiting.set(token, pending);
  if (mayShare(connection, body)) client.post(pending);
  else sendAlone(connection, pending);
}

/** Sends the requests to one service. */
function sendAll(client: Client, posted: readonly Pending[]): void {
  // Some may have ended since, with the connection for example.
  const requests = posted.filter(({ entry }) => client.waiting.has(entry.token));
  if (requests.length > 1 && sendAsBatch(client, requests)) return;
  for (const pending of requests) sendAlone(client.connection, pending);
}

/** Sends several requests as one message, which one replica gets; false when they are too large together. */
function sendAsBatch({ connection, waiting }: Client, requests: readonly Pending[]): boolean {
  let open = requests.length;
  const reply = connection.inbox.open((message) => {
    if (isUnserved(message)) return requests.forEach((pending) => pending.end(unserved()));
    if (ownHeaders(message)[wire.error] !== undefined) {
      // The message was refused as a whole, by a replica of a version that knows no batches for example, so nothing was
      // done.
      connection.inbox.close(reply);
      for (const pending of requests) if (waiting.has(pending.entry.token)) sendAlone(connection, pending);
      return;
    }
    for (const answer of decodeMessageBatch(message.data) ?? []) settle(waiting.get(answer.token), answer);
  });
  const left = (): void => {
    open -= 1;
    if (open === 0) connection.inbox.close(reply);
  };
  try {
    const subject = operationSubject(connection.namespace, requests[0]?.to ?? '', MANY);
    send(connection, subject, encodeMessageBatch(requests.map(({ entry }) => entry)), { reply });
  } catch {
    connection.inbox.close(reply);
    return false;
  }
  for (const pending of requests) pending.left = left;
  return true;
}

/** Sends one request, in parts if it is large. It ends with the error of what cannot be sent. */
function sendAlone(connection: Connection, pending: Pending): void {
  const { subject, reply, entry } = pending;
  const { own, headers, body } = entry;
  try {
    if (!needsParts(connection, body)) {
      return send(connection, subject, body, { headers: encodeHeaders(headers, own), reply });
    }
    pending.outgoing = sendInParts(connection, body, pending.end);
    const opening = encodeHeaders(headers, { ...own, [wire.transfer]: String(body.length) });
    send(connection, subject, NO_BODY, { headers: opening, reply });
  } catch (error) {
    pending.end(error as AppError);
  }
}

const isUnserved = ({ headers, data }: Msg): boolean => headers?.code === 503 && data.length === 0;
const unserved = (): AppError => unavailable('No replica of the service is running, try again');

function onMessage({ connection }: Client, pending: Pending, message: Msg): void {
  if (isUnserved(message)) return pending.end(unserved());
  const own = ownHeaders(message);
  if (own[wire.credit] !== undefined) return pending.outgoing?.take(message);
  if (own[wire.part] !== undefined) return pending.incoming?.take(message);
  if (own[wire.transfer] !== undefined) return receive(connection, pending, message);
  settle(pending, { own, headers: decodeHeaders(message), body: message.data });
}

function settle(pending: Pending | undefined, { own, headers, body }: Pick<Entry, 'own' | 'headers' | 'body'>): void {
  const reason = own[wire.error];
  pending?.end(reason === undefined ? { body, headers } : decodeError(reason, body));
}

function receive(connection: Connection, pending: Pending, opening: Msg): void {
  if (pending.incoming !== undefined) return;
  const headers = decodeHeaders(opening);
  try {
    pending.incoming = receiveParts(connection, opening, pending.reply, {
      done(body, release) {
        release();
        pending.end({ body, headers });
      },
      failed: pending.end,
    });
  } catch (error) {
    sendError(connection, opening.reply ?? '', error as AppError);
    pending.end(error as AppError);
  }
}
