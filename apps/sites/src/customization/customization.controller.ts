import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  deleteSiteSpaceCustomizationById,
  getSiteCustomizationById,
  getSiteSpaceCustomizationById,
  overrideSiteSpaceCustomizationById,
  updateSiteCustomizationById,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { checkedCondition, requireSite, siteSpaceIn, type SiteParams, type SiteSettings } from '../model/index.js';
import { clear, customization, override, replace } from './customization.js';
import { checkLinks } from './links.process.js';
import { lookOfSite, looksOfSiteSpaces } from './look.queries.js';
import { withShownFiles } from './shown-files.process.js';

interface SiteSpaceParams {
  organizationId: string;
  siteId: string;
  siteSpaceId: string;
}

@Controller()
export class CustomizationController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(getSiteCustomizationById)
  async get({ params }: InputOf<typeof getSiteCustomizationById>, call: Call) {
    return lookOfSite(call, await this.site(call, params));
  }

  @Handles(updateSiteCustomizationById)
  async replace({ params, body }: InputOf<typeof updateSiteCustomizationById>, call: Call) {
    const { siteId } = params;
    const { organizationId: organization } = params;
    const present = await this.site(call, params);
    checkConditions(present, body.header?.links);
    await checkLinks(call, present, body, await lookOfSite(call, present));
    const wanted = await withShownFiles(call, { organization, site: siteId }, body);
    await call.store.within({ site: siteId }).handle(customization, siteId, (state) => replace(state, siteId, wanted));
    return lookOfSite(call, await this.site(call, params));
  }

  @Handles(getSiteSpaceCustomizationById)
  async getOfSiteSpace({ params }: InputOf<typeof getSiteSpaceCustomizationById>, call: Call) {
    return this.read(call, params);
  }

  @Handles(overrideSiteSpaceCustomizationById)
  async override({ params, body }: InputOf<typeof overrideSiteSpaceCustomizationById>, call: Call) {
    const settings = await this.siteWith(call, params);
    checkConditions(settings, body.header?.links);
    await checkLinks(call, settings, body, await this.read(call, params));
    const { organizationId: organization, siteId: site, siteSpaceId: siteSpace } = params;
    const wanted = await withShownFiles(call, { organization, site }, body);
    await call.store
      .within({ site })
      .handle(customization, siteSpace, (state) => override(state, { site, siteSpace }, wanted));
    return this.read(call, params);
  }

  @Handles(deleteSiteSpaceCustomizationById)
  async clear({ params }: InputOf<typeof deleteSiteSpaceCustomizationById>, call: Call) {
    await this.siteWith(call, params);
    const { siteId: site, siteSpaceId: siteSpace } = params;
    const { events } = await call.store
      .within({ site })
      .handle(customization, siteSpace, (state) => clear(state, { site, siteSpace }));
    return events.length > 0;
  }

  private async site(call: Call, params: SiteParams) {
    return (await requireSite(call, this.access, call.principal, params)).site;
  }

  /** The site, if this space is on it. @throws AppError `not_found` */
  private async siteWith(call: Call, params: SiteSpaceParams) {
    const site = await this.site(call, params);
    if (siteSpaceIn(site.structure, params.siteSpaceId) === undefined) throw new AppError('not_found');
    return site;
  }

  private async read(call: Call, params: SiteSpaceParams) {
    const look = await lookOfSite(call, await this.siteWith(call, params));
    const own = (await looksOfSiteSpaces(call, look, [params.siteSpaceId]))[params.siteSpaceId];
    return { ...(own ?? look), hasOverrides: own !== undefined };
  }
}

/** @throws AppError `condition_invalid` that names the link */
function checkConditions(
  site: SiteSettings,
  links: readonly { condition?: string | undefined }[] | null | undefined,
): void {
  for (const [i, { condition }] of (links ?? []).entries())
    checkedCondition(site, condition ?? null, `body.header.links[${i}].condition`);
}
