import {
  getSiteInsights,
  insightEventTypes,
  locatePublishedPages,
  trackSiteInsights,
  type InputOf,
  type InsightEvent,
  type VisitorSession,
} from '@scriptorium/contracts';
import { ask, Controller, Handles, Reply, type Call } from '@scriptorium/platform';
import { sites } from '../model/index.js';
import { InsightCounter } from './counting.process.js';
import { dayOf, listInsights, type Happened } from './insights.operational.js';
import { siteSpaceOf, toldOf, visitOf } from './visit.js';
import { VisitAnnouncer } from './visit-announcer.process.js';

type Event = InputOf<typeof trackSiteInsights>['body']['events'][number];

/** The time that adding up may take, and what is left of that of a request for telling that it took too long, ms. */
const [longestMs, marginMs] = [5_000, 1_000];

/** How often sites are viewed, searched and rated. */
@Controller()
export class InsightsController {
  constructor(
    private readonly counter: InsightCounter,
    private readonly visits: VisitAnnouncer,
  ) {}

  @Handles(getSiteInsights)
  async list({ params, query }: InputOf<typeof getSiteInsights>, call: Call) {
    const withinMs = Math.max(1, Math.min(longestMs, call.deadline - call.now() - marginMs));
    return { items: await listInsights(call, params.siteId, { ...query, withinMs }) };
  }

  @Handles(trackSiteInsights)
  async track({ params, body }: InputOf<typeof trackSiteInsights>, call: Call) {
    const { organizationId: organization, siteId: site } = params;
    const known = body.events.filter(isKnown);
    const placed = known.map((event) => ({ event, ...placeOf(event) }));
    const isShown = await shownTo(call, organization, placed);
    const shown = placed.filter(isShown).map(({ event }) => event);
    const happened = shown.flatMap(countedAs);
    await this.counter.count(site, happened, call.store.context.correlation);
    await this.announce(call, { organization, site }, shown);
    const skipped = body.events.length - known.length;
    if (skipped === 0) return new Reply(undefined, { status: 204 });
    return { counted: happened.length, skipped };
  }

  /** Tells integrations what a visitor did, if there are any that are told; not what somebody does in a preview. */
  private async announce(
    call: Call,
    of: { organization: string; site: string },
    events: readonly InsightEvent[],
  ): Promise<void> {
    const { principal } = call;
    if (principal.kind !== 'visitor' || principal.visitor.preview !== undefined) return;
    const hasReceiver = await this.visits.receivers(of.organization);
    const visits = events.flatMap((event) => {
      const told = toldOf(event);
      return told === undefined || !hasReceiver(of.site, told.type) ? [] : [{ event, told }];
    });
    if (visits.length === 0) return;
    const { siteSpaces = [] } = (await call.store.read(sites).byId(of.site))?.structure ?? {};
    const { shareKey } = principal.visitor;
    const by = { shareKey, anonymousId: (session: VisitorSession) => anonymousId(call, of.site, session) };
    this.visits.add(
      visits.map(({ event, told }) => {
        const { page, space } = placeOf(event);
        const at = { ...of, page, space, siteSpace: siteSpaceOf(event, { space, siteSpaces }) };
        return visitOf(event, told, at, by);
      }),
    );
  }
}

/** The id of a visitor without one of the renderer: for this day and this site alone, and it does not say who it is. */
function anonymousId(
  { keys, now }: Pick<Call, 'keys' | 'now'>,
  site: string,
  { ip, userAgent }: VisitorSession,
): string {
  return keys
    .digest('site-visitor', site, dayOf(now()), ip ?? '', userAgent ?? '')
    .toString('hex')
    .slice(0, 32);
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
    // It follows the rating, which is counted.
    case 'page_post_feedback_comment':
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
  events: readonly Pick<Happened, 'page' | 'space'>[],
): Promise<(event: Pick<Happened, 'page' | 'space'>) => boolean> {
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
