import { organizationFacts, ServiceAccess } from '@scriptorium/access';
import { blaming, getSiteRedirectBySource, type InputOf } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { Publishing, requireSite, siteAddress, type SiteDocument, type Structure } from '../model/index.js';
import { renderRedirect, siteRedirects, sourceOf } from '../redirects/index.js';
import { linkWithKey } from '../share-links/index.js';
import type { SeenStructure } from './lookup/locate-in-site.js';
import { leadingTo, type Within } from './redirected.process.js';
import { spacesIn } from './inside.queries.js';
import { shownToMember, shownToVisitor } from './lookup/shown-to-visitor.queries.js';

/** Where redirects lead, for renderers that find no page. */
@Controller()
export class RedirectTargetController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly publishing: Publishing,
  ) {}

  @Handles(getSiteRedirectBySource)
  async get({ params, query }: InputOf<typeof getSiteRedirectBySource>, call: Call) {
    const { site } = await requireSite(call, this.access, call.principal, params);
    const source = sourceOf(query.source);
    const found =
      source === undefined ? null : await call.store.read(siteRedirects).findOne({ site: site._id, source });
    const to = found === null ? undefined : await leadingTo(call, await this.within(call, site), found.destination);
    if (found === null || to === undefined)
      throw blaming('not_found', 'query.source', 'No redirect leads on from this path');
    const redirect = renderRedirect(found);
    if ('url' in to) return { ...redirect, redirect, target: to.url };
    const facts = await call.store.read(organizationFacts).byId(site.organization);
    const base = siteAddress(this.publishing.place, facts?.hostname ?? '', site);
    const key = keyFor(call, site, query.shareKey);
    const parts = [...(key === undefined ? [] : [key]), ...to.parts];
    return { ...redirect, redirect, target: `${base}${parts.map(encodeURIComponent).join('/')}` };
  }

  private async within(call: Call, site: SiteDocument & { _id: string }): Promise<Within> {
    const { principal } = call;
    const named = { organization: site.organization, site: site._id };
    if (principal.kind !== 'visitor')
      return { ...named, seen: await shownToMember(call, this.access, site, principal.id) };
    const { type, spaces } = principal.visitor;
    const claims = principal.visitor.claims as Claims;
    const seen = opened(await shownToVisitor(call, this.access, site, { claims, type }), new Set(spaces));
    return { ...named, seen, reader: { type, claims, spaces: spacesIn(seen) } };
  }
}

/** What is left of a site with the spaces that a token opens. */
function opened({ listed, all }: SeenStructure, spaces: ReadonlySet<string>): SeenStructure {
  const among = (structure: Structure): Structure => ({
    ...structure,
    siteSpaces: structure.siteSpaces.filter(({ space }) => spaces.has(space)),
  });
  return { listed: among(listed), all: among(all) };
}

/** The key with which addresses of a site are answered to somebody who names one, or who came with one. */
function keyFor(call: Call, site: SiteDocument & { _id: string }, named: string | undefined): string | undefined {
  const { principal } = call;
  const key = named ?? (principal.kind === 'visitor' ? principal.visitor.shareKey : undefined);
  const isValid =
    key !== undefined &&
    site.visibility === 'share-link' &&
    linkWithKey(call, { site: site._id, links: site.links }, key) !== undefined;
  return isValid ? key : undefined;
}
