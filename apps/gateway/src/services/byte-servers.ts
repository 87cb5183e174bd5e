import type { FileServerNews } from '@scriptorium/contracts';
import * as z from 'zod';
import { readAnnouncement } from './read-announcement.js';

/** The replicas that serve the bytes of files, as far as they announce themselves. */
export interface FileServers {
  /** Takes an announcement, as it comes over the wire. */
  receive(body: Uint8Array): void;
  /** Addresses of the living replicas, each time another one first. Waits a moment for the first announcement. */
  living(): Promise<string[]>;
}

interface Known {
  url: string;
  heardAt: number;
}

/** Three announcements may be lost. */
const livesForMs = 4_000;
const firstWithinMs = 1_500;
const lookEveryMs = 50;
const mostKnown = 1_000;

const News = z.object({
  id: z.string().min(1).max(64),
  url: z.url({ protocol: /^http$/ }),
  isStopping: z.boolean(),
}) satisfies z.ZodType<FileServerNews>;

/** Keeps track of the replicas. `now` in ms on any clock. */
export function createFileServers(now: () => number = () => performance.now()): FileServers {
  const known = new Map<string, Known>();
  let turn = 0;
  const alive = (): string[] => {
    for (const [id, { heardAt }] of known) if (now() - heardAt > livesForMs) known.delete(id);
    const urls = [...known.values()].map(({ url }) => url);
    turn += 1;
    const first = urls.length === 0 ? 0 : turn % urls.length;
    return [...urls.slice(first), ...urls.slice(0, first)];
  };
  return {
    receive(body) {
      const news = readAnnouncement(News, body);
      if (news === undefined) return;
      const { id, url, isStopping } = news;
      if (isStopping) known.delete(id);
      else if (known.has(id) || known.size < mostKnown) known.set(id, { url, heardAt: now() });
    },
    async living() {
      const until = now() + firstWithinMs;
      let urls = alive();
      // A gateway that has just started has not heard of anybody yet.
      while (urls.length === 0 && now() < until) {
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
        urls = alive();
      }
      return urls;
    },
  };
}
