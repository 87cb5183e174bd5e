import type { PublishedContent } from '@scriptorium/contracts';
import type { Api } from './api.js';

/** Counts pages that are shown, for the insights of their sites. Nothing of the visitor goes along. */
export interface Views {
  add(at: PublishedContent, page: string): void;
  /** Tells the API what was counted since it was told last. */
  stop(): Promise<void>;
}

/** What the API takes at once. */
const mostAtOnce = 50;
/** Views that wait; when more pages are shown in that time, they are not counted. */
const mostWaiting = 5_000;
const waitMs = 1_000;
const timeoutMs = 5_000;

interface Waiting {
  at: PublishedContent;
  events: object[];
}

export function createViews(api: Pick<Api, 'post'>): Views {
  const waiting = new Map<string, Waiting>();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const tell = async (): Promise<void> => {
    timer = undefined;
    const all = [...waiting.values()];
    waiting.clear();
    count = 0;
    for (const { at, events } of all) {
      const path = `/orgs/${at.organization}/sites/${at.site}/insights/events`;
      for (let start = 0; start < events.length; start += mostAtOnce) {
        const options = { token: at.apiToken, signal: AbortSignal.timeout(timeoutMs) };
        // A number that is a little too low is better than a page that is not shown.
        await api.post(path, { events: events.slice(start, start + mostAtOnce) }, options).catch(() => undefined);
      }
    }
  };
  return {
    add(at, page) {
      if (count >= mostWaiting) return;
      count += 1;
      const known = waiting.get(at.apiToken) ?? { at, events: [] };
      known.events.push({ type: 'page_view', siteSpace: at.siteSpace, space: at.space, page });
      waiting.set(at.apiToken, known);
      timer ??= setTimeout(() => void tell(), waitMs).unref();
    },
    async stop() {
      clearTimeout(timer);
      await tell();
    },
  };
}
