import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  createSiteRedirect,
  deleteSiteRedirectById,
  getSiteRedirectBySource,
  listSiteRedirects,
  updateSiteRedirectById,
  type InputOf,
  type SiteRedirect,
} from '@scriptorium/contracts';
import type { Decide, Stored } from '@scriptorium/event-sourcing';
import { Controller, findPage, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import type { RedirectEvent } from '../model/index.js';
import { checkedDestination } from './destination.process.js';
import { redirectSource } from './redirect-source.js';
import { siteRedirects, type RedirectDocument } from './redirect.projection.js';
import { add, change, redirects, remove, type Redirects } from './redirects.js';

@Controller()
export class RedirectsController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(listSiteRedirects)
  async list({ params, query }: InputOf<typeof listSiteRedirects>, call: Call) {
    const page = await findPage(call.cursors, {
      model: call.store.read(siteRedirects),
      filter: { site: params.siteId },
      sort: 'source',
      binding: { operation: call.operation, scope: params, order: 'asc' },
      request: query,
    });
    return { ...page, items: page.items.map(render) };
  }

  @Handles(createSiteRedirect)
  async create({ params, body }: InputOf<typeof createSiteRedirect>, call: Call) {
    const id = call.idFor('redirect');
    const source = redirectSource(body.source, 'body.source');
    const destination = await checkedDestination(call, this.access, params, body.destination);
    const { redirectsPerSite: limit } = call.limits;
    await this.handle(call, params, (state) => add(state, { id, source, destination, limit }));
    return readAfterCreate(call, () => this.read(call, params, id));
  }

  @Handles(updateSiteRedirectById)
  async update({ params, body }: InputOf<typeof updateSiteRedirectById>, call: Call) {
    const { siteRedirectId: id } = params;
    const source = body.source === undefined ? undefined : redirectSource(body.source, 'body.source');
    const destination =
      body.destination === undefined
        ? undefined
        : await checkedDestination(call, this.access, params, body.destination);
    await this.handle(call, params, (state) => change(state, id, { source, destination }));
    return this.read(call, params, id);
  }

  @Handles(deleteSiteRedirectById)
  async remove({ params }: InputOf<typeof deleteSiteRedirectById>, call: Call) {
    const { events } = await this.handle(call, params, (state) => remove(state, params.siteRedirectId));
    return events.length > 0;
  }

  @Handles(getSiteRedirectBySource)
  async getBySource({ params, query }: InputOf<typeof getSiteRedirectBySource>, call: Call) {
    const source = redirectSource(query.source, 'query.source');
    const found = await call.store.read(siteRedirects).findOne({ site: params.siteId, source });
    if (found === null) throw new AppError('not_found');
    return render(found);
  }

  private handle({ store }: Call, { siteId }: { siteId: string }, decide: Decide<Redirects, RedirectEvent>) {
    return store.within({ site: siteId }).handle(redirects, siteId, decide);
  }

  private async read({ store }: Call, { siteId }: { siteId: string }, id: string) {
    const found = await store.read(siteRedirects).byId(id);
    if (found?.site !== siteId) throw new AppError('not_found');
    return render(found);
  }
}

function render({ _id: id, source, destination }: Stored<RedirectDocument>): SiteRedirect {
  return { object: 'site-redirect', id, source, destination };
}
