import { ServiceAccess } from '@scriptorium/access';
import { searchSiteContent, searchSpaces, type FoundSpace, type InputOf } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import { ask, Controller, Handles, pageBy, type Call } from '@scriptorium/platform';
import {
  requireActive,
  requireSite,
  sectionsOf,
  site as siteAggregate,
  siteSpacesIn,
  type Structure,
} from '../model/index.js';
import { InsightCounter } from '../insights/index.js';
import { shownToVisitor } from '../publishing/index.js';

type Asked = InputOf<typeof searchSiteContent>['body'];
type SearchScope = NonNullable<Asked['scope']>;

/** A space in which something was found. */
interface Found {
  score: number;
  found: FoundSpace;
}

/** Search of sites. */
@Controller()
export class SiteSearchController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly counter: InsightCounter,
  ) {}

  @Handles(searchSiteContent)
  async search({ params, query, body }: InputOf<typeof searchSiteContent>, call: Call) {
    const spaces = spacesIn(await this.shown(call, params), scopeOf(body));
    const { organizationId: organization } = params;
    if (call.principal.kind === 'visitor' && query.page === undefined)
      await this.counter.count(params.siteId, [{ metric: 'searches' }], call.store.context.correlation);
    const find = (limit: number, after?: { score: number; id: string }) =>
      ask(call, searchSpaces, {
        organization,
        spaces,
        query: body.query,
        limit,
        ...(after === undefined ? {} : { after }),
      });
    const page = await pageBy<Found>(call.cursors, {
      binding: { operation: call.operation, scope: { ...params, ...body }, sort: 'score', order: 'desc' },
      request: query,
      isCounted: true,
      count: async () => (await find(0)).count,
      fetch: async (limit, after) => {
        const behind = after === undefined ? undefined : { score: Number(after[0]), id: String(after[1]) };
        return (await find(limit, behind)).items;
      },
      keysOf: ({ score, found }) => [score, found.id],
    });
    return { ...page, items: page.items.map(({ found }) => found) };
  }

  /** What the caller sees of the site. What members may not view is not searched. */
  private async shown(call: Call, params: { organizationId: string; siteId: string }): Promise<Structure> {
    const { principal } = call;
    const { site } = await requireSite(call, this.access, principal, params);
    if (principal.kind !== 'visitor') return site.structure;
    const state = requireActive(await call.store.load(siteAggregate, params.siteId));
    const { claims, type } = principal.visitor;
    return (await shownToVisitor(call, this.access, state, { claims: claims as Claims, type })).listed;
  }
}

/** Where is searched, also when it is said as older clients do. */
function scopeOf({ scope, mode, siteSpaceIds, siteSpaceId: currentSiteSpace }: Asked): SearchScope {
  if (scope !== undefined) return scope;
  if (mode === 'all') return { mode };
  if (mode !== 'current' && siteSpaceIds !== undefined) return { mode: 'specific', siteSpaceIds };
  return { mode: 'default', ...(currentSiteSpace === undefined ? {} : { currentSiteSpace }) };
}

/** The spaces that are searched. */
function spacesIn(structure: Structure, scope: SearchScope): string[] {
  const all = structure.siteSpaces;
  if (scope.mode === 'all') return all.map(({ space }) => space);
  if (scope.mode === 'specific')
    return all.filter(({ id }) => scope.siteSpaceIds.includes(id)).map(({ space }) => space);
  const current = all.find(({ id }) => id === scope.currentSiteSpace);
  const sections = sectionsOf(structure);
  const defaults =
    sections.length === 0
      ? [current?.id ?? structure.defaultSpace]
      : sections.map(({ id, defaultSpace }) => (current?.section === id ? current.id : defaultSpace));
  const chosen = all.filter(({ id }) => defaults.includes(id));
  return (chosen.length === 0 ? siteSpacesIn(structure, null) : chosen).map(({ space }) => space);
}
