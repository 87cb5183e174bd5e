import {
  AppError,
  getSiteInsights,
  locatePublishedPath,
  trackSiteInsights,
  type InputOf,
} from '@scriptorium/contracts';
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
    const happened: Happened[] = [];
    const shown = new Map<string, boolean>();
    for (const event of body.events) {
      const { page, space } = event;
      const name = `${space ?? ''} ${page ?? ''}`;
      if (!shown.has(name)) shown.set(name, await isShown(call, params.organizationId, event));
      if (shown.get(name) !== true) continue;
      const metric = event.type === 'page_view' ? 'views' : 'feedback';
      happened.push({ metric, page, space, rating: event.type === 'page_feedback' ? event.rating : undefined });
    }
    await count(call, params.siteId, happened, call.now());
  }
}

/** Whether a visitor is shown what an event is about: otherwise anybody could count pages that are not there. */
async function isShown(call: Call, organization: string, { page, space }: Event): Promise<boolean> {
  if (page === undefined && space === undefined) return true;
  const { principal } = call;
  if (space === undefined || principal.kind !== 'visitor' || !principal.visitor.spaces.includes(space)) return false;
  if (page === undefined) return true;
  const { type, claims, spaces, preview } = principal.visitor;
  const reader = { type, claims, spaces: [...spaces] };
  try {
    const wanted = { organization, space, path: '', page, ...preview, reader };
    return (await ask(call, locatePublishedPath, wanted, `track ${space} ${page}`)).path !== undefined;
  } catch (error) {
    if (error instanceof AppError && error.reason === 'not_found') return false;
    throw error;
  }
}
