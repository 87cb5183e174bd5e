import { errors, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { type AppError } from '@scriptorium/contracts';
import { type Budget } from './budget.js';
import { type Inbox } from './inbox.js';
import { type MessagingLogger } from './logger.js';
import { type Turn } from './turn.js';
import { tooLarge, unavailable } from './wire-errors.js';

/** The connection, and what all parts of this package share with it. */
export interface Link {
  readonly nc: NatsConnection;
  readonly namespace: string;
  readonly inbox: Inbox;
  readonly budget: Budget;
  /** Requests and answers are sent at its end. */
  readonly turn: Turn;
  readonly logger: MessagingLogger;
  readonly isConnected: () => boolean;
  readonly onDisconnect: (listener: () => void) => void;
}

/** The server's limit for one message, including headers. */
export function maxPayload(link: Link): number {
  return link.nc.info?.max_payload ?? 1024 * 1024;
}

/**
 * Publishes one message.
 * @throws AppError `too_large` beyond the server's limit, `unavailable` without a connection
 */
export function send(link: Link, subject: string, body: Uint8Array, headers?: MsgHdrs, reply?: string): void {
  try {
    link.nc.publish(subject, body, { ...(headers && { headers }), ...(reply !== undefined && { reply }) });
  } catch (error) {
    throw refusal(error, body.length, maxPayload(link));
  }
}

/**
 * Waits until the server has received what was sent. Without a connection it returns at once: the client repeats its
 * subscriptions when the connection is restored.
 */
export async function flush(link: Link): Promise<void> {
  link.turn.end();
  if (!link.isConnected()) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FLUSH_TIMEOUT_MS);
  });
  const flushed = link.nc.flush().catch((err: unknown) => link.logger.warn({ err }, 'the connection ended in a flush'));
  await Promise.race([flushed, late]);
  clearTimeout(timer);
}

const FLUSH_TIMEOUT_MS = 5000;

function refusal(error: unknown, bytes: number, limit: number): AppError {
  if (error instanceof errors.InvalidArgumentError && error.message.includes('max_payload'))
    return tooLarge(bytes, limit);
  return unavailable('The message could not be sent, try again', error);
}
