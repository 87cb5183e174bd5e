import * as z from 'zod';
import type { PrincipalChange } from '@scriptorium/contracts';

/** Silence of an announcer after which nothing that was learnt before is believed (ruling 12). */
export const silenceMs = 750;
/** Announcers followed at a time; replicas of one service, so a few. */
const maxEpochs = 64;

const Announcement = z.object({
  epoch: z.string().min(1).max(128),
  sequence: z.int().min(0),
  users: z.array(z.string().max(128)),
}) satisfies z.ZodType<PrincipalChange>;

export interface AnnouncementListener {
  /** These users changed. */
  changed(users: readonly string[]): void;
  /** Something may have been missed: nothing learnt before holds. */
  lost(): void;
}

export interface Announcements {
  /** Takes one announcement as it came over the wire. */
  receive(bytes: Uint8Array): void;
  /** Whether every announcer known has been heard of lately, and at least one is known. */
  fresh(): boolean;
}

/**
 * Follows the announcements of changed principals. A gap in the sequence of an announcer, a new announcer, one gone
 * silent and an unreadable message are losses. `now` is a monotonic clock in milliseconds.
 */
export function followAnnouncements(listener: AnnouncementListener, now: () => number = () => performance.now()): Announcements {
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
      const message = read(bytes);
      if (message === null || heard.size >= maxEpochs) {
        heard.clear();
        listener.lost();
      }
      if (message !== null) {
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

function read(bytes: Uint8Array): PrincipalChange | null {
  try {
    return Announcement.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
