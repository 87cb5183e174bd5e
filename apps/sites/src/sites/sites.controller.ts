import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  createSite,
  deleteSiteById,
  getSiteById,
  listSites,
  lookupSites,
  lookupSpacesOnSite,
  publishSite,
  unpublishSite,
  updateSiteById,
  verifySiteHostname,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import type { Decide } from '@scriptorium/event-sourcing';
import { Controller, Handles, readAfterCreate, type Call, type Scope } from '@scriptorium/platform';
import type * as z from 'zod';
import { directory, remove } from '../directory/index.js';
import {
  type SiteEvent,
  Publishing,
  requireSite,
  showSite,
  site,
  spacesOnSite,
  type SiteParams,
  type SiteState,
} from '../model/index.js';
import { changeSettings } from './change-settings.process.js';
import { createSite as create } from './create-site.process.js';
import { HostnameRecords } from './hostname-records.process.js';
import { publish, unpublish } from './settings.js';
import { verify } from './verify-hostname.process.js';
import { listSites as list, lookupSites as find } from './sites.queries.js';

@Controller()
export class SitesController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
    private readonly records: HostnameRecords,
  ) {}

  @Handles(listSites)
  async list({ params, query }: InputOf<typeof listSites>, call: Call) {
    const filter = { ...query, operation: call.operation };
    const { principal } = call;
    if (principal.kind === 'installation')
      return call.cached({ of: [params, query] }, async (scope) => {
        const reach = await this.access.reachOf(scope, principal);
        if (reach === null) throw new AppError('not_found');
        return list(scope, this, reach, filter);
      });
    const place = await this.place(call, params.organizationId);
    return call.cached({ of: [params, query, place] }, (scope) => list(scope, this, place, filter));
  }

  @Handles(lookupSpacesOnSite)
  async lookup(
    { organization, site: siteId }: z.output<(typeof lookupSpacesOnSite)['input']>,
    call: Call<Principal | null>,
  ) {
    if (call.principal === null) throw new AppError('unauthenticated');
    return { spaces: await spacesOnSite(call, this.access, call.principal, { organizationId: organization, siteId }) };
  }

  @Handles(lookupSites)
  async lookupByIds({ ids }: z.output<(typeof lookupSites)['input']>, call: Call<Principal | null>) {
    return { items: await find(call, this, call.principal, ids) };
  }

  @Handles(createSite)
  async create({ params, body = {} }: InputOf<typeof createSite>, call: Call) {
    const { title = 'Untitled site', type = 'basic', visibility = 'public', spaces = [] } = body;
    const place = await this.place(call, params.organizationId);
    const siteId = await create(call, this.access, place, { title, type, visibility, spaces });
    return readAfterCreate(call, () => this.read(call, call, { ...params, siteId }));
  }

  @Handles(getSiteById)
  async get({ params }: InputOf<typeof getSiteById>, call: Call) {
    return call.cached({ of: params }, (scope) => this.read(scope, call, params));
  }

  @Handles(updateSiteById)
  async update({ params, body }: InputOf<typeof updateSiteById>, call: Call) {
    const { adaptiveContent, ...change } = body;
    await changeSettings(call, this.publishing, params.siteId, {
      ...change,
      adaptiveContent: adaptiveContent?.enabled,
    });
    return this.read(call, call, params);
  }

  @Handles(verifySiteHostname)
  async verify({ params }: InputOf<typeof verifySiteHostname>, call: Call) {
    await verify(call, this.records, params.siteId);
    return this.read(call, call, params);
  }

  @Handles(deleteSiteById)
  async remove({ params }: InputOf<typeof deleteSiteById>, call: Call) {
    const { organizationId, siteId } = params;
    const { events } = await call.store
      .within({ site: siteId })
      .handle(directory, organizationId, (state) => remove(state, siteId));
    return events.length > 0;
  }

  @Handles(publishSite)
  async publish({ params }: InputOf<typeof publishSite>, call: Call) {
    return this.change(call, params, publish);
  }

  @Handles(unpublishSite)
  async unpublish({ params }: InputOf<typeof unpublishSite>, call: Call) {
    return this.change(call, params, unpublish);
  }

  private async change(call: Call, params: Required<SiteParams>, decide: Decide<SiteState, SiteEvent>) {
    await call.store.within({ site: params.siteId }).handle(site, params.siteId, decide);
    return this.read(call, call, params);
  }

  private async read(scope: Scope, call: Call, params: SiteParams) {
    return showSite(scope, this.publishing, await requireSite(scope, this.access, call.principal, params));
  }

  private async place(call: Call, organization: string) {
    const place = await this.access.placeIn(call, organization, call.principal);
    if (place === null) throw new AppError('not_found');
    return place;
  }
}
