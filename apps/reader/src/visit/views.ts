import { setTimeout as delay } from 'node:timers/promises';
import type { PublishedContent } from '@scriptorium/contracts';
import type { Api } from './api.js';
import type { Session } from './session.js';

/** Tells of pages that are shown, for the insights of their sites and for integrations that a site has installed. */
export interface Views {
  add(at: PublishedContent, page: string, by: Session): void;
  /** Tells the API what was counted since it was told last. */
  stop(): Promise<void>;
}

/** What the API takes at once. */
const mostAtOnce = 50;
/** Views that wait; when more pages are shown in that time, they are not counted. */
const mostWaiting = 5_000;
const waitMs = 1_000;
const timeoutMs = 5_000;
/** What is told at the end. */
const lastMs = 5_000;

interface Waiting {
  at: PublishedContent;
  events: object[];
}

export function createViews(api: Pick<Api, 'post'>): Views {
  const waiting = new Map<string, Waiting>();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  let telling: Promise<void> | undefined;
  const tell = async (): Promise<void> => {
    for (const [token, one] of waiting) {
      waiting.delete(token);
      await tellOne(api, one);
      count -= one.events.length;
    }
  };
  // One at a time: while the API is slow, views wait, and beyond the bound they are not counted.
  const begin = (): void => {
    timer = undefined;
    telling ??= tell().finally(() => {
      telling = undefined;
      if (waiting.size > 0) timer ??= setTimeout(begin, waitMs).unref();
    });
  };
  return {
    add(at, page, by) {
      if (count >= mostWaiting) return;
      count += 1;
      const known = waiting.get(at.apiToken) ?? { at, events: [] };
      known.events.push(viewOf(at, page, by));
      waiting.set(at.apiToken, known);
      timer ??= setTimeout(begin, waitMs).unref();
    },
    async stop() {
      const deadline = delay(lastMs, undefined, { ref: false });
      await Promise.race([telling, deadline]);
      clearTimeout(timer);
      begin();
      await Promise.race([telling, deadline]);
      clearTimeout(timer);
    },
  };
}

async function tellOne(api: Pick<Api, 'post'>, { at, events }: Waiting): Promise<void> {
  const path = `/orgs/${at.organization}/sites/${at.site}/insights/events`;
  for (let start = 0; start < events.length; start += mostAtOnce) {
    const options = { token: at.apiToken, signal: AbortSignal.timeout(timeoutMs) };
    // A number that is a little too low is better than a page that is not shown.
    await api.post(path, { events: events.slice(start, start + mostAtOnce) }, options).catch(() => undefined);
  }
}

function viewOf({ siteSpace, space }: PublishedContent, page: string, { session, url }: Session): object {
  return { type: 'page_view', siteSpace, space, page, session, location: { url } };
}
