import { createInbox as createInboxSubject, type Msg, type NatsConnection } from '@nats-io/transport-node';

/**
 * The private subjects of a connection, behind a single subscription. They receive answers to requests, and the parts
 * and credit of transfers. Messages for a token that is not open, or no longer open, are ignored.
 */
export interface Inbox {
  /** Opens a private subject for one exchange. */
  open(handle: (message: Msg) => void): string;
  close(subject: string): void;
}

/** Subscribes the inbox of a connection. Its name is random, and its tokens are counted up. */
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

/** The last token of a private subject. */
export function tokenOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}
