import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@scriptorium/contracts';
import { cursorMessage, endMessage, heartbeat, itemMessage, opening } from './messages.js';
import type { OpenStream, StreamLimits } from './stream-registry.js';

/** A page of a list that can be followed. */
export interface StreamPage {
  items: { cursor: string }[];
  more?: boolean;
  next?: { page: string };
}

/** Reads the page behind a cursor from a service whose read models have reached `position`. */
export type Pull = (cursor: string, position: bigint | undefined) => Promise<StreamPage>;

const attempts = 5;
const retryMs = 200;
/** Events that are announced within this time are read with one page. */
const collectMs = 50;

/**
 * The texts that a client is sent, one for each page. The next page is read only when the client has taken the last
 * one. Ends with the stream, or when the list does.
 */
export async function* follow(
  first: StreamPage,
  pull: Pull,
  stream: OpenStream,
  { heartbeatMs }: Pick<StreamLimits, 'heartbeatMs'>,
): AsyncGenerator<string, void> {
  let cursor: string | undefined;
  let page = first;
  let text = opening;
  try {
    for (;;) {
      text += messages(page, cursor);
      if (text !== '') yield text;
      if (page.next === undefined) {
        yield endMessage();
        return;
      }
      cursor = page.next.page;
      text = '';
      if (page.more !== true) {
        const woken = await stream.wait(heartbeatMs);
        if (woken === 'ended') break;
        if (woken === 'heartbeat') text = heartbeat;
        else await pause(collectMs);
      }
      if (stream.ended() !== undefined) break;
      page = await pullWithRetries(pull, cursor, stream);
    }
  } catch (error) {
    stream.end(error instanceof AppError ? error : new AppError('unexpected', [], { cause: error }));
  }
  const reason = stream.ended()?.reason;
  if (reason !== undefined) yield endMessage(reason);
}

function messages({ items, next }: StreamPage, before: string | undefined): string {
  const text = items.map((item) => itemMessage(item.cursor, item)).join('');
  const last = items.at(-1)?.cursor ?? before;
  return next === undefined || next.page === last ? text : text + cursorMessage(next.page);
}

/** Tries again while the service is unavailable: a replica that restarts must not end the stream. */
async function pullWithRetries(pull: Pull, cursor: string, stream: OpenStream): Promise<StreamPage> {
  const position = stream.position();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pull(cursor, position);
    } catch (error) {
      const mayPass = error instanceof AppError && error.reason === 'unavailable';
      if (!mayPass || attempt === attempts || stream.ended() !== undefined) throw error;
      await pause(retryMs * attempt);
    }
  }
}
