import { isLiteral } from './subjects.js';
import { flush, type Link, send } from './link.js';

export interface BroadcastOptions {
  /** Subscribers with the same queue name share the messages; without one each gets all. */
  readonly queue?: string;
}

/** What a subscriber does with a message. Calls are not awaited one after the other. */
export type BroadcastHandler = (body: Uint8Array, subject: string) => void | Promise<void>;

export interface BroadcastSubscription {
  /** No call of the handler begins after this resolves. */
  unsubscribe(): Promise<void>;
}

/**
 * Tells whoever listens on `<namespace>.<subject>`; nobody may. Answers false when there is no connection:
 * a broadcast is never kept for later. Throws `too_large` beyond the server's `max_payload`.
 */
export function publish(link: Link, subject: string, body: Uint8Array): boolean {
  if (!isLiteral(subject)) throw new TypeError(`not a subject: ${subject}`);
  if (!link.isConnected()) return false;
  send(link, `${link.namespace}.${subject}`, body);
  return true;
}

/**
 * Listens on `<namespace>.<subject>`, which may hold wildcards; the handler gets subjects without the
 * namespace. What it throws is logged and never ends the subscription. Resolves when the server knows of it.
 */
export async function subscribe(
  link: Link,
  subject: string,
  handler: BroadcastHandler,
  options: BroadcastOptions = {},
): Promise<BroadcastSubscription> {
  const prefix = `${link.namespace}.`;
  const report = (err: unknown) => link.logger.error({ subject, err }, 'a broadcast handler failed');
  const subscription = link.nc.subscribe(prefix + subject, {
    ...(options.queue !== undefined && { queue: options.queue }),
    callback: (error, message) => {
      if (error !== null) return report(error);
      try {
        handler(message.data, message.subject.slice(prefix.length))?.catch(report);
      } catch (thrown) {
        report(thrown);
      }
    },
  });
  await flush(link);
  return {
    async unsubscribe() {
      if (!link.nc.isClosed() && !subscription.isClosed()) await subscription.drain();
    },
  };
}
