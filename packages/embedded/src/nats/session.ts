import { addSubscription, type Broker, removeSubscription } from './broker.js';
import { acknowledge, send, sendError } from './connection.js';
import { type Connection } from './model.js';
import { createParser, type Parser, type PublishLine } from './parser.js';
import { failures, publishRefused, subscriptionRefused } from './protocol.js';
import { publishMessage, refuseForLackOfResponders } from './routing.js';
import { isLiteralSubject, isSystemSubject, isValidSubject } from './subject.js';

/** The operations of one client, applied to the broker. `fail` says the last word and closes. */
export function createSession(
  broker: Broker,
  connection: Connection,
  fail: (message: string | undefined, reason: string) => void,
): Parser {
  const { config } = broker;
  return createParser(
    {
      accepts(operation) {
        if (connection.authorized || operation === 'CONNECT') return true;
        fail(failures.authorization, 'operation before authentication');
        return false;
      },
      connect: (json) => connect(broker, connection, json, fail),
      ping: () => send(broker, connection, 'PONG\r\n'),
      pong: () => {
        connection.pingsOut = 0;
      },
      subscribe: (args) => subscribe(broker, connection, args, fail),
      unsubscribe: (args) => unsubscribe(broker, connection, args, fail),
      publish: (line, bytes, start, end) => publish(broker, connection, line, bytes, start, end, fail),
      fail,
    },
    { maxControlLine: config.maxControlLine, maxPayload: config.maxPayload },
  );
}

type Fail = (message: string | undefined, reason: string) => void;

const FLAGS = [
  ['verbose', 'verbose'],
  ['pedantic', 'pedantic'],
  ['echo', 'echo'],
  ['headers', 'headers'],
  ['no_responders', 'noResponders'],
] as const;

function connect(broker: Broker, connection: Connection, json: string, fail: Fail): void {
  const options = parseObject(Buffer.from(json, 'latin1').toString('utf8'));
  if (options === undefined) return fail(undefined, 'CONNECT without a JSON object');
  if (!broker.admits(options)) return fail(failures.authorization, 'wrong credentials');
  if (!FLAGS.every(([name]) => ['boolean', 'undefined'].includes(typeof options[name]))) {
    return fail(undefined, 'CONNECT with a flag that is not a boolean');
  }
  connection.authorized = true;
  for (const [name, field] of FLAGS) connection[field] = Boolean(options[name] ?? connection[field]);
  const protocol = options.protocol ?? 0;
  if (protocol !== 0 && protocol !== 1) return fail(failures.invalidClientProtocol, 'unknown protocol version');
  if (connection.noResponders && !connection.headers) {
    return fail(failures.noRespondersNeedsHeaders, 'no responders without headers');
  }
  acknowledge(broker, connection);
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function subscribe(broker: Broker, connection: Connection, args: readonly string[], fail: Fail): void {
  const [subject, second, third] = args;
  const sid = third ?? second;
  if (subject === undefined || sid === undefined || args.length > 3) return fail(undefined, 'malformed SUB');
  const queue = third === undefined ? undefined : second;
  if (!isValidSubject(subject)) return sendError(broker, connection, failures.invalidSubject);
  if (isSystemSubject(subject)) return sendError(broker, connection, subscriptionRefused(subject, queue));
  if (connection.subscriptions.size >= broker.config.maxSubscriptions) {
    return sendError(broker, connection, failures.maxSubscriptions);
  }
  // A sid in use stays with its first subject, as in nats-server.
  if (!connection.subscriptions.has(sid)) {
    addSubscription(broker, { connection, sid, subject, queue, delivered: 0, max: 0 });
  }
  acknowledge(broker, connection);
}

function unsubscribe(broker: Broker, connection: Connection, args: readonly string[], fail: Fail): void {
  const [sid, count] = args;
  if (sid === undefined || args.length > 2) return fail(undefined, 'malformed UNSUB');
  const subscription = connection.subscriptions.get(sid);
  const max = count !== undefined && /^\d{1,15}$/.test(count) ? Number(count) : 0;
  if (subscription !== undefined) {
    if (max > subscription.delivered) subscription.max = max;
    else removeSubscription(broker, subscription);
  }
  acknowledge(broker, connection);
}

function publish(
  broker: Broker,
  connection: Connection,
  line: PublishLine,
  bytes: Buffer,
  start: number,
  end: number,
  fail: Fail,
): void {
  if (line.headerBytes >= 0 && !connection.headers) return fail(undefined, 'headers were not announced in CONNECT');
  acknowledge(broker, connection);
  if (isSystemSubject(line.subject)) return sendError(broker, connection, publishRefused(line.subject));
  if (connection.pedantic && !isLiteralSubject(line.subject)) {
    sendError(broker, connection, failures.invalidPublishSubject);
  }
  // What is to be traced may be meant for nobody (`Nats-Trace-Only`): it must not be delivered.
  const isTraced = asksForTrace(line, bytes, start);
  if (isTraced) sendError(broker, connection, failures.noTracing);
  const delivered = !isTraced && publishMessage(broker, connection, line, bytes, start, end);
  if (!delivered && connection.noResponders && line.reply !== '') {
    refuseForLackOfResponders(broker, connection, line.reply);
  }
}

const TRACE = Buffer.from('\r\nNats-Trace-Dest:');

/** Whether the headers name a subject for the ways of the message through the servers (nats-server 2.11). */
function asksForTrace({ headerBytes }: PublishLine, bytes: Buffer, start: number): boolean {
  return headerBytes > TRACE.length && bytes.subarray(start, start + headerBytes).includes(TRACE);
}
