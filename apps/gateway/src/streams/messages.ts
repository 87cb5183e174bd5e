import type { AppError } from '@scriptorium/contracts';

/*
 * Server-sent events (HTML, 9.2). JSON text has no line breaks, so one `data` line holds an item.
 */

/** An item and the cursor behind it. */
export function itemMessage(cursor: string, item: unknown): string {
  return `id: ${cursor}\ndata: ${JSON.stringify(item)}\n\n`;
}

/** A cursor without an item: clients dispatch nothing, but reconnect from this cursor. */
export function cursorMessage(cursor: string): string {
  return `id: ${cursor}\n\n`;
}

/** A comment that shows clients and proxies that the connection works. */
export const heartbeat = ':\n\n';

/** Clients that reconnect by themselves wait a second first. */
export const opening = 'retry: 1000\n\n';

/** The last message; without an error the list is complete. */
export function endMessage(error?: AppError): string {
  const data = error === undefined ? {} : { error: { reason: error.reason, message: error.message } };
  return `event: end\ndata: ${JSON.stringify(data)}\n\n`;
}
