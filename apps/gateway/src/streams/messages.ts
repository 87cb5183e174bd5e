import type { AppError } from '@scriptorium/contracts';

/*
 * Server-sent events (HTML, 9.2). JSON has no line breaks of its own, so that one `data` line is always enough.
 */

/** An item, and the cursor behind it. */
export function itemMessage(cursor: string, item: unknown): string {
  return `id: ${cursor}\ndata: ${JSON.stringify(item)}\n\n`;
}

/** Where a reader is, without an item: nothing is dispatched, but a reconnection goes on from there. */
export function cursorMessage(cursor: string): string {
  return `id: ${cursor}\n\n`;
}

/** A comment, so that all in between know that the connection lives. */
export const heartbeat = ':\n\n';

/** Clients that reconnect by themselves wait a second first. */
export const opening = 'retry: 1000\n\n';

/** The last message; without an error everything was said. */
export function endMessage(error?: AppError): string {
  return `event: end\ndata: ${JSON.stringify(error === undefined ? {} : { error: { reason: error.reason, message: error.message } })}\n\n`;
}
