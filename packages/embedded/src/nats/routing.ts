import { type Broker, queued, removeSubscription } from './broker.js';
import { send } from './connection.js';
import { type Connection, type Subscription } from './model.js';
import { pendingBytes, putBytes, putText } from './outbound.js';
import { type PublishLine } from './parser.js';
import { noResponders } from './protocol.js';
import { type QueueGroup, type SubscriptionSet } from './subscriptions.js';

/**
 * Delivers a message to every plain subscription that matches and to one member of each queue group.
 * The payload is `bytes[start, end)` with its CRLF behind it, copied during the call.
 * Answers whether anybody got it.
 */
export function publishMessage(
  broker: Broker,
  from: Connection,
  line: PublishLine,
  bytes: Buffer,
  start: number,
  end: number,
): boolean {
  const targets = targetsOf(broker.index.match(line.subject), from);
  for (const target of targets) {
    deliver(broker, target, line, bytes, start, end);
    if (pendingBytes(target.connection.outbound) > broker.config.maxPending / 2) from.throttled = true;
  }
  return targets.length > 0;
}

/**
 * Tells a requester at once that nobody serves the subject, on its own subscription for the answer.
 * Queue subscriptions are not looked at, as in nats-server.
 */
export function refuseForLackOfResponders(broker: Broker, connection: Connection, reply: string): void {
  for (const set of broker.index.match(reply)) {
    for (const subscription of set.plain) {
      if (subscription.connection === connection) {
        return send(broker, connection, noResponders(reply, subscription.sid));
      }
    }
  }
}

function deliver(
  broker: Broker,
  subscription: Subscription,
  line: PublishLine,
  bytes: Buffer,
  start: number,
  end: number,
): void {
  const { connection, sid } = subscription;
  if (connection.closed) return;
  const head = line.reply === '' ? `${line.subject} ${sid}` : `${line.subject} ${sid} ${line.reply}`;
  // A client that does not know headers gets the payload without them.
  const withHeaders = line.headerBytes >= 0 && connection.headers;
  const from = line.headerBytes >= 0 && !withHeaders ? start + line.headerBytes : start;
  const { outbound } = connection;
  putText(
    outbound,
    withHeaders ? `HMSG ${head} ${line.headerBytes} ${end - from}\r\n` : `MSG ${head} ${end - from}\r\n`,
  );
  putBytes(outbound, bytes, from, end + 2);
  subscription.delivered += 1;
  if (subscription.max > 0 && subscription.delivered >= subscription.max) removeSubscription(broker, subscription);
  queued(broker, connection);
}

function targetsOf(sets: readonly SubscriptionSet<Subscription>[], from: Connection): Subscription[] {
  const targets: Subscription[] = [];
  for (const set of sets) {
    for (const subscription of set.plain) if (hears(subscription, from)) targets.push(subscription);
  }
  for (const group of groupsOf(sets)) {
    const chosen = nextOf(group, from);
    if (chosen !== undefined) targets.push(chosen);
  }
  return targets;
}

/** A queue group is known by its name alone: on several matching patterns it still gets one copy. */
function groupsOf(sets: readonly SubscriptionSet<Subscription>[]): Iterable<QueueGroup<Subscription>> {
  const [only, other] = sets.filter((set) => set.queues.size > 0);
  if (only === undefined) return [];
  if (other === undefined) return only.queues.values();
  const merged = new Map<string, QueueGroup<Subscription>>();
  for (const set of sets) {
    for (const [name, group] of set.queues) {
      const members = [...(merged.get(name)?.members ?? []), ...group.members];
      merged.set(name, { members, next: Math.floor(Math.random() * members.length) });
    }
  }
  return merged.values();
}

/** Turn by turn, so that members get equal shares. */
function nextOf(group: QueueGroup<Subscription>, from: Connection): Subscription | undefined {
  const { members } = group;
  for (let tried = 0; tried < members.length; tried++) {
    const member = members[group.next % members.length];
    group.next = (group.next + 1) % members.length;
    if (member !== undefined && hears(member, from)) return member;
  }
  return undefined;
}

function hears(subscription: Subscription, from: Connection): boolean {
  return subscription.connection !== from || from.echo;
}
