import { organizationFacts, ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  createSiteRedirect,
  deleteSiteRedirectById,
  listSiteRedirects,
  updateSiteRedirectById,
  invalid,
  type InputOf,
  type RedirectDestination,
} from '@scriptorium/contracts';
import type { Decide } from '@scriptorium/event-sourcing';
import { containing, Controller, findPage, Handles, readAfterCreate, Reply, type Call } from '@scriptorium/platform';
import { Publishing, requireSite, type RedirectEvent, type SiteParams } from '../model/index.js';
import { checkedDestination } from './destination.process.js';
import { ownPathsOf } from './own-paths.process.js';
import { redirectSource } from './redirect-source.js';
import { siteRedirects } from './redirect.projection.js';
import { renderRedirect } from './render-redirect.queries.js';
import { add, change, redirects, remove, type PathOnSite, type Redirects } from './redirects.js';

@Controller()
export class RedirectsController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly publishing: Publishing,
  ) {}

  @Handles(listSiteRedirects)
  async list({ params, query }: InputOf<typeof listSiteRedirects>, call: Call) {
    const { search } = query;
    const page = await findPage(call.cursors, {
      model: call.store.read(siteRedirects),
      filter: {
        site: params.siteId,
        ...(search === undefined ? {} : { source: { $regex: containing(search).source, $options: 'i' } }),
      },
      sort: 'source',
      binding: { operation: call.operation, scope: { ...params, search }, order: 'asc' },
      request: query,
    });
    return { ...page, items: page.items.map(renderRedirect) };
  }

  @Handles(createSiteRedirect)
  async create({ params, body }: InputOf<typeof createSiteRedirect>, call: Call) {
    const id = call.idFor('redirect');
    const source = redirectSource(body.source, 'body.source');
    const destination = await checkedDestination(call, this.access, params, body.destination);
    const { redirectsPerSite: limit } = call.limits;
    const pathOnSite = await this.requireElsewhere(call, params, source, destination);
    await this.handle(call, params, (state) => add(state, { id, source, destination, limit, pathOnSite }));
    const created = await readAfterCreate(call, () => this.read(call, params, id));
    const { organizationId, siteId } = params;
    return new Reply(created, { location: `${call.urls.api}/orgs/${organizationId}/sites/${siteId}/redirects/${id}` });
  }

  @Handles(updateSiteRedirectById)
  async update({ params, body }: InputOf<typeof updateSiteRedirectById>, call: Call) {
    const { siteRedirectId: id } = params;
    const source = body.source === undefined ? undefined : redirectSource(body.source, 'body.source');
    const destination =
      body.destination === undefined
        ? undefined
        : await checkedDestination(call, this.access, params, body.destination);
    const present = await call.store.read(siteRedirects).byId(id);
    if (present?.site !== params.siteId) throw new AppError('not_found');
    const pathOnSite = await this.requireElsewhere(
      call,
      params,
      source ?? present.source,
      destination ?? present.destination,
    );
    await this.handle(call, params, (state) => change(state, id, { source, destination, pathOnSite }));
    return this.read(call, params, id);
  }

  @Handles(deleteSiteRedirectById)
  async remove({ params }: InputOf<typeof deleteSiteRedirectById>, call: Call) {
    const { events } = await this.handle(call, params, (state) => remove(state, params.siteRedirectId));
    return events.length > 0;
  }

  private handle({ store }: Call, { siteId }: { siteId: string }, decide: Decide<Redirects, RedirectEvent>) {
    return store.within({ site: siteId }).handle(redirects, siteId, decide);
  }

  private async read({ store }: Call, { siteId }: { siteId: string }, id: string) {
    const found = await store.read(siteRedirects).byId(id);
    if (found?.site !== siteId) throw new AppError('not_found');
    return renderRedirect(found);
  }

  /**
   * What tells a redirect that leads to itself by an address. @throws AppError `invalid_request` for one that leads to
   * its own path
   */
  private async requireElsewhere(
    call: Call,
    params: SiteParams,
    source: string,
    destination: RedirectDestination,
  ): Promise<PathOnSite> {
    const { site } = await requireSite(call, this.access, call.principal, params);
    if ((await ownPathsOf(call, site, destination)).includes(source))
      throw invalid('body.destination', 'The redirect would lead to itself');
    const facts = await call.store.read(organizationFacts).byId(site.organization);
    return (to) => ('url' in to ? this.publishing.pathOn(site, facts?.hostname ?? '', to.url) : undefined);
  }
}
