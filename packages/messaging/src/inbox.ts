import { createInbox as createInboxSubject, type Msg, type NatsConnection } from '@nats-io/transport-node';

/**
 * The private subjects of one connection behind a single subscription: answers to requests, parts and
 * credit of transfers. Messages for a token that is not open (any more) are ignored.
 */
export interface Inbox {
  /** Opens a private subject for one conversation. */
  open(handle: (message: Msg) => void): string;
  close(subject: string): void;
}

/** Subscribes the connection's inbox. Its name is random, its tokens count up. */
export function createInbox(nc: NatsConnection): Inbox {
  const base = `${createInboxSubject()}.`;
  const handlers = new Map<string, (message: Msg) => void>();
  let next = 0;
  nc.subscribe(`${base}*`, {
    callback: (error, message) => {
      if (error === null) handlers.get(message.subject)?.(message);
    },
  });
  return {
    open(handle) {
      next += 1;
      const subject = base + next.toString(36);
      handlers.set(subject, handle);
      return subject;
    },
    close(subject) {
      handlers.delete(subject);
    },
  };
}
