import { isLiteral } from './subjects.js';
import { flush, type Link, send } from './link.js';

export interface BroadcastOptions {
  /** Subscribers with the same queue name share the messages. Without a queue each subscriber gets all of them. */
  readonly queue?: string;
}

/** Handles a message. The next call does not wait for the end of the one before. */
export type BroadcastHandler = (body: Uint8Array, subject: string) => void | Promise<void>;

export interface BroadcastSubscription {
  /** After this resolves, no further call of the handler begins. */
  unsubscribe(): Promise<void>;
}

/**
 * Publishes on `<namespace>.<subject>`. Having no subscriber is no error. Returns false without a connection: a
 * broadcast is never kept for later.
 * @throws AppError `too_large` beyond the server's `max_payload`
 */
export function publish(link: Link, subject: string, body: Uint8Array): boolean {
  if (!isLiteral(subject)) throw new TypeError(`not a subject: ${subject}`);
  if (!link.isConnected()) return false;
  send(link, `${link.namespace}.${subject}`, body);
  return true;
}

/**
 * Subscribes to `<namespace>.<subject>`, which may contain wildcards. The handler gets subjects without the namespace.
 * Errors of the handler are logged and do not end the subscription. Resolves when the server has the subscription.
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
