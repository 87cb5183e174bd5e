import { type Msg } from '@nats-io/transport-node';
import { AppError } from '@scriptorium/contracts';
import { decodeMessageBatch, encodeMessageBatch, type Entry, mayShare } from './message-batch.js';
import { cancelIncoming, type Incoming, sendError, startIncoming, takePart } from './incoming.js';
import { tokenOf } from './inbox.js';
import { MAX_BODY_BYTES, MAX_DEADLINE_MS, MAX_PENDING_REQUESTS } from './limits.js';
import { type Link, send } from './link.js';
import { needsParts, type Outgoing, startOutgoing } from './outgoing.js';
import { decodeHeaders, encodeHeaders, MANY, NO_BODY, operationSubject, ownHeaders, wire } from './wire.js';
import { decodeError, tooLarge, unavailable } from './wire-errors.js';

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

interface Pending {
  readonly link: Link;
  readonly end: (outcome: Answer | AppError) => void;
  subject: string;
  outgoing: Outgoing | undefined;
  incoming: Incoming | undefined;
  /** Called at the end of a request that shared a message with others. */
  left: (() => void) | undefined;
}

interface Client {
  readonly link: Link;
  /** Requests without an answer, by the last token of their private subject. */
  readonly waiting: Map<string, Pending>;
  readonly post: (request: PostedRequest) => void;
}

/** A request that is sent at the end of the turn. */
interface PostedRequest {
  readonly to: string;
  readonly pending: Pending;
  readonly entry: Entry;
  readonly subject: string;
}

/**
 * Creates a client that uses the inbox of the connection: one subscription, and a map from token to waiting request.
 */
export function createClient(link: Link): MessagingClient {
  const waiting = new Map<string, Pending>();
  const client: Client = {
    link,
    waiting,
    post: link.turn.gather<PostedRequest>((requests) => sendAll(client, requests)),
  };
  link.onDisconnect(() => {
    for (const pending of [...waiting.values()])
      pending.end(unavailable('The connection to the services was lost, try again'));
  });
  return {
    request(call) {
      return new Promise((resolve, reject) => {
        const settle = (outcome: Answer | AppError) =>
          outcome instanceof AppError ? reject(outcome) : resolve(outcome);
        // An error here (too large, not connected) rejects the promise.
        start(client, call, settle);
      });
    },
  };
}

function start(client: Client, call: ServiceRequest, settle: (outcome: Answer | AppError) => void): void {
  const { link, waiting } = client;
  const subject = operationSubject(link.namespace, call.service, call.operation);
  const deadline = Math.min(Math.floor(call.timeoutMs), MAX_DEADLINE_MS);
  if (call.body.length > MAX_BODY_BYTES) throw tooLarge(call.body.length, MAX_BODY_BYTES);
  if (!link.isConnected()) throw unavailable('The services cannot be reached, try again');
  if (!(deadline > 0)) throw unavailable('The deadline has passed');
  if (waiting.size >= MAX_PENDING_REQUESTS) throw unavailable('Too many requests are waiting, try again');

  const end = (outcome: Answer | AppError) => {
    if (!waiting.delete(token)) return;
    clearTimeout(timer);
    link.inbox.close(pending.subject);
    pending.left?.();
    pending.outgoing?.cancel();
    if (pending.incoming !== undefined) cancelIncoming(pending.incoming);
    settle(outcome);
  };
  const pending: Pending = { link, end, subject: '', outgoing: undefined, incoming: undefined, left: undefined };
  pending.subject = link.inbox.open((message) => onMessage(pending, message));
  const token = tokenOf(pending.subject);
  waiting.set(token, pending);
  const timer = setTimeout(() => end(unavailable(`${call.service} did not answer in time`)), deadline);
  const own = { [wire.deadline]: String(deadline) };
  const { service: to, operation, headers, body } = call;
  if (mayShare(link, body)) {
    return client.post({ to, pending, subject, entry: { token, operation, own, headers, body } });
  }
  attempt(pending, () => sendAlone(pending, subject, call, own));
}

/** Sends the requests to one service. */
function sendAll(client: Client, posted: readonly PostedRequest[]): void {
  // Some may have ended since, with the connection for example.
  const requests = posted.filter(({ entry }) => client.waiting.has(entry.token));
  if (requests.length < 2 || !sendAsBatch(client, requests)) sendEach(requests);
}

function sendEach(requests: readonly PostedRequest[]): void {
  for (const { pending, subject, entry } of requests)
    attempt(pending, () => sendAlone(pending, subject, entry, entry.own));
}

/** Sends several requests as one message, which one replica gets; false when they are too large together. */
function sendAsBatch({ link, waiting }: Client, requests: readonly PostedRequest[]): boolean {
  let open = requests.length;
  const reply = link.inbox.open((message) => {
    if (isUnserved(message)) return requests.forEach(({ pending }) => pending.end(unserved()));
    if (ownHeaders(message)[wire.error] !== undefined) {
      // The message was refused as a whole, by a replica of a version that knows no batches for example, so nothing was
      // done.
      link.inbox.close(reply);
      return sendEach(requests.filter(({ entry }) => waiting.has(entry.token)));
    }
    for (const { token, own, headers, body } of decodeMessageBatch(message.data) ?? []) {
      const pending = waiting.get(token);
      if (pending !== undefined) settle(pending, own, headers, body);
    }
  });
  const left = (): void => {
    open -= 1;
    if (open === 0) link.inbox.close(reply);
  };
  try {
    const subject = operationSubject(link.namespace, requests[0]?.to ?? '', MANY);
    send(link, subject, encodeMessageBatch(requests.map(({ entry }) => entry)), undefined, reply);
  } catch {
    link.inbox.close(reply);
    return false;
  }
  for (const { pending } of requests) pending.left = left;
  return true;
}

function attempt(pending: Pending, work: () => void): void {
  try {
    work();
  } catch (error) {
    pending.end(error as AppError);
  }
}

function sendAlone(
  pending: Pending,
  subject: string,
  { headers, body }: Pick<ServiceRequest, 'headers' | 'body'>,
  own: Readonly<Record<string, string>>,
): void {
  const { link } = pending;
  if (!needsParts(link, body)) return send(link, subject, body, encodeHeaders(headers, own), pending.subject);
  pending.outgoing = startOutgoing(link, body, { done: () => undefined, failed: pending.end });
  const opening = { ...own, [wire.transfer]: String(body.length) };
  send(link, subject, NO_BODY, encodeHeaders(headers, opening), pending.subject);
}

const isUnserved = ({ headers, data }: Msg): boolean => headers?.code === 503 && data.length === 0;
const unserved = (): AppError => unavailable('No replica of the service is running, try again');

function onMessage(pending: Pending, message: Msg): void {
  if (isUnserved(message)) return pending.end(unserved());
  const own = ownHeaders(message);
  if (own[wire.credit] !== undefined) return pending.outgoing?.onCredit(message);
  if (own[wire.part] !== undefined) {
    if (pending.incoming !== undefined) takePart(pending.incoming, message);
    return;
  }
  if (own[wire.transfer] !== undefined) return receive(pending, message);
  settle(pending, own, decodeHeaders(message), message.data);
}

function settle(
  pending: Pending,
  own: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): void {
  const reason = own[wire.error];
  pending.end(reason === undefined ? { body, headers } : decodeError(reason, body));
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
    sendError(pending.link, opening.reply ?? '', error as AppError);
    pending.end(error as AppError);
  }
}
