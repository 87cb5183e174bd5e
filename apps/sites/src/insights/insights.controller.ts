import { getSiteInsights, locatePublishedPages, trackSiteInsights, type InputOf } from '@scriptorium/contracts';
import { ask, Controller, Handles, type Call } from '@scriptorium/platform';
import { count, listInsights, type Happened } from './insights.operational.js';

type Event = InputOf<typeof trackSiteInsights>['body']['events'][number];

/** How often sites are viewed, searched and rated. */
@Controller()
export class InsightsController {
  @Handles(getSiteInsights)
  async list({ params, query }: InputOf<typeof getSiteInsights>, call: Call) {
    return { items: await listInsights(call, params.siteId, query) };
  }

  @Handles(trackSiteInsights)
  async track({ params, body }: InputOf<typeof trackSiteInsights>, call: Call): Promise<void> {
    const isShown = await shownTo(call, params.organizationId, body.events);
    const happened = body.events.filter(isShown).map((event): Happened => {
      const { page, space } = event;
      const metric = event.type === 'page_view' ? 'views' : 'feedback';
      return { metric, page, space, rating: event.type === 'page_feedback' ? event.rating : undefined };
    });
    await count(call, params.siteId, happened, call.now());
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
