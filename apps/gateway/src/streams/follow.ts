import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@scriptorium/contracts';
import { cursorMessage, endMessage, heartbeat, itemMessage, opening } from './messages.js';
import type { Seat, StreamLimits } from './seats.js';

/** A page of a list that can be followed. */
export interface StreamPage {
  items: { cursor: string }[];
  more?: boolean;
  next?: { page: string };
}

/** Asks for what is behind a cursor, in an answer that is not older than a position. */
export type Pull = (cursor: string, position: bigint | undefined) => Promise<StreamPage>;

const attempts = 5;
const retryMs = 200;
/** What happens within it goes together. */
const betweenPullsMs = 50;

/**
 * What a reader is sent: one text for each page, the next of which is only asked for when the reader has taken the last. Ends with the
 * seat, or when the list does.
 */
export async function* follow(first: StreamPage, pull: Pull, seat: Seat, { heartbeatMs }: Pick<StreamLimits, 'heartbeatMs'>): AsyncGenerator<string, void> {
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
        const woken = await seat.wait(heartbeatMs);
        if (woken === 'over') break;
        if (woken === 'time') text = heartbeat;
        else await pause(betweenPullsMs);
      }
      if (seat.ended() !== undefined) break;
      page = await persistent(pull, cursor, seat);
    }
  } catch (error) {
    seat.end(error instanceof AppError ? error : new AppError('unexpected', [], { cause: error }));
  }
  const reason = seat.ended()?.reason;
  if (reason !== undefined) yield endMessage(reason);
}

function messages({ items, next }: StreamPage, before: string | undefined): string {
  const text = items.map((item) => itemMessage(item.cursor, item)).join('');
  const last = items.at(-1)?.cursor ?? before;
  return next === undefined || next.page === last ? text : text + cursorMessage(next.page);
}

/** A replica that stops or is behind for a moment is no reason to send a reader away. */
async function persistent(pull: Pull, cursor: string, seat: Seat): Promise<StreamPage> {
  const position = seat.position();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pull(cursor, position);
    } catch (error) {
      const passes = error instanceof AppError && error.reason === 'unavailable';
      if (!passes || attempt === attempts || seat.ended() !== undefined) throw error;
      await pause(retryMs * attempt);
    }
  }
}
