import * as z from 'zod';
import type { PrincipalChange } from '@scriptorium/contracts';
import { readAnnouncement } from '../services/read-announcement.js';

/** When an announcer was not heard for this long, changes may have been missed and cached callers are not used. */
export const silenceMs = 750;
/** Announcers followed at a time. Each replica of identity is one, so there are few. */
const maxEpochs = 64;

const Announcement = z.object({
  epoch: z.string().min(1).max(128),
  sequence: z.int().min(0),
  users: z.array(z.string().max(128)),
}) satisfies z.ZodType<PrincipalChange>;

export interface AnnouncementListener {
  /** Tokens or rights of these users changed. */
  changed(users: readonly string[]): void;
  /** An announcement may have been missed: everything cached may be out of date. */
  lost(): void;
}

export interface Announcements {
  /** Takes an announcement, as it comes over the wire. */
  receive(bytes: Uint8Array): void;
  /** Whether at least one announcer is known, and every known one was heard within `silenceMs`. */
  fresh(): boolean;
}

/**
 * Follows the announcements of changed principals. `lost` is called for a gap in the sequence of an announcer, a new
 * announcer, an announcer that was not heard for `silenceMs`, and an unreadable message. `now` is a monotonic clock in
 * milliseconds.
 */
export function followAnnouncements(
  listener: AnnouncementListener,
  now: () => number = () => performance.now(),
): Announcements {
  const heard = new Map<string, { sequence: number; at: number }>();
  let freshUntil = -Infinity;

  const recompute = (): void => {
    freshUntil = heard.size === 0 ? -Infinity : Math.min(...[...heard.values()].map((one) => one.at)) + silenceMs;
  };
  const dropSilent = (): void => {
    const limit = now() - silenceMs;
    const silent = [...heard].filter(([, one]) => one.at <= limit);
    for (const [epoch] of silent) heard.delete(epoch);
    if (silent.length > 0) listener.lost();
    recompute();
  };

  return {
    receive(bytes) {
      const message = readAnnouncement(Announcement, bytes);
      if (message === undefined || heard.size >= maxEpochs) {
        heard.clear();
        listener.lost();
      }
      if (message !== undefined) {
        const last = heard.get(message.epoch);
        if (last === undefined || message.sequence !== last.sequence + 1) listener.lost();
        else if (message.users.length > 0) listener.changed(message.users);
        heard.set(message.epoch, { sequence: message.sequence, at: now() });
      }
      recompute();
    },
    fresh() {
      if (now() < freshUntil) return true;
      dropSilent();
      return now() < freshUntil;
    },
  };
}
