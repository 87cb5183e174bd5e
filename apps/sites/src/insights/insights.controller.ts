import {
  getSiteInsights,
  insightEventTypes,
  locatePublishedPages,
  trackSiteInsights,
  type InputOf,
  type InsightEvent,
} from '@scriptorium/contracts';
import { ask, Controller, Handles, Reply, type Call } from '@scriptorium/platform';
import { InsightCounter } from './counting.process.js';
import { listInsights, type Happened } from './insights.operational.js';

type Event = InputOf<typeof trackSiteInsights>['body']['events'][number];

/** The time that adding up may take, and what is left of that of a request for telling that it took too long, ms. */
const [longestMs, marginMs] = [5_000, 1_000];

/** How often sites are viewed, searched and rated. */
@Controller()
export class InsightsController {
  constructor(private readonly counter: InsightCounter) {}

  @Handles(getSiteInsights)
  async list({ params, query }: InputOf<typeof getSiteInsights>, call: Call) {
    const withinMs = Math.max(1, Math.min(longestMs, call.deadline - call.now() - marginMs));
    return { items: await listInsights(call, params.siteId, { ...query, withinMs }) };
  }

  @Handles(trackSiteInsights)
  async track({ params, body }: InputOf<typeof trackSiteInsights>, call: Call) {
    const known = body.events.filter(isKnown);
    const events = known.flatMap(countedAs);
    const isShown = await shownTo(call, params.organizationId, events);
    const happened = events.filter(isShown);
    await this.counter.count(params.siteId, happened, call.requestId);
    const skipped = body.events.length - known.length;
    if (skipped === 0) return new Reply(undefined, { status: 204 });
    return { counted: happened.length, skipped };
  }
}

function isKnown(event: Event): event is InsightEvent {
  return insightEventTypes.has(event.type);
}

/** Searches are counted where they are answered; what else is told of them, and clicks, have no counters. */
function countedAs(event: InsightEvent): Happened[] {
  const place = placeOf(event);
  switch (event.type) {
    case 'page_view':
      return [{ metric: 'views', ...place }];
    case 'page_feedback':
      return [{ metric: 'feedback', ...place, rating: event.rating }];
    case 'page_post_feedback':
      return [{ metric: 'feedback', ...place, rating: event.feedback.rating }];
    case 'search_open':
    case 'search_type_query':
    case 'link_click':
      return [];
  }
}

/** What an event names itself is before what its location names. */
function placeOf({ page, space, location = {} }: InsightEvent): Pick<Happened, 'page' | 'space'> {
  const at = page == null && space == null ? location : { page, space };
  return { page: at.page ?? undefined, space: at.space ?? undefined };
}

/** Whether a visitor is shown what an event is about: otherwise anybody could count pages that are not there. */
async function shownTo(
  call: Call,
  organization: string,
  events: readonly Happened[],
): Promise<(event: Happened) => boolean> {
  const { principal } = call;
  if (principal.kind !== 'visitor') return () => false;
  const { type, claims, spaces, preview } = principal.visitor;
  const opened = new Set(spaces);
  const named = events.flatMap(({ space, page }) =>
    space === undefined || page === undefined || !opened.has(space)
      ? []
      : [[`${space} ${page}`, { space, page }] as const],
  );
  const places = [...new Map(named)];
  const wanted = { organization, places: places.map(([, place]) => place), ...preview };
  const reader = { type, claims, spaces: [...spaces] };
  const { paths } = places.length === 0 ? { paths: [] } : await ask(call, locatePublishedPages, { ...wanted, reader });
  const shown = new Set(places.filter((_, index) => paths[index] != null).map(([name]) => name));
  return ({ space, page }) => {
    if (space === undefined) return page === undefined;
    return page === undefined ? opened.has(space) : shown.has(`${space} ${page}`);
  };
}
