import { getSiteInsights, locatePublishedPages, trackSiteInsights, type InputOf } from '@scriptorium/contracts';
import { ask, Controller, Handles, type Call } from '@scriptorium/platform';
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
  async track({ params, body }: InputOf<typeof trackSiteInsights>, call: Call): Promise<void> {
    const isShown = await shownTo(call, params.organizationId, body.events);
    const happened = body.events.filter(isShown).map((event): Happened => {
      const { page, space } = event;
      const metric = event.type === 'page_view' ? 'views' : 'feedback';
      return { metric, page, space, rating: event.type === 'page_feedback' ? event.rating : undefined };
    });
    await this.counter.count(params.siteId, happened, call.requestId);
  }
}

/** Whether a visitor is shown what an event is about: otherwise anybody could count pages that are not there. */
async function shownTo(call: Call, organization: string, events: readonly Event[]): Promise<(event: Event) => boolean> {
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
