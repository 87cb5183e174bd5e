import { organizationFacts, ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  createSiteShareLink,
  deleteSiteShareLinkById,
  listSiteShareLinks,
  updateSiteShareLinkById,
  type InputOf,
  type ShareLink,
} from '@scriptorium/contracts';
import type { Decide } from '@scriptorium/event-sourcing';
import { Controller, Handles, pageBy, readAfterCreate, type Call } from '@scriptorium/platform';
import {
  type SiteEvent,
  Publishing,
  requireSite,
  site,
  siteAddress,
  type ShareLinkState,
  type SiteParams,
  type SiteState,
} from '../model/index.js';
import { keyOfLink } from './share-key.queries.js';
import { change, create, remove } from './share-links.js';

@Controller()
export class ShareLinksController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly publishing: Publishing,
  ) {}

  @Handles(listSiteShareLinks)
  async list({ params, query }: InputOf<typeof listSiteShareLinks>, call: Call) {
    const { links, render } = await this.view(call, params);
    const newest = links.toSorted((a, b) => (isBehind(b, [a.createdAt, a.id]) ? -1 : 1));
    const page = await pageBy<ShareLinkState>(call.cursors, {
      binding: { operation: call.operation, scope: params, sort: 'createdAt', order: 'desc' },
      request: query,
      fetch: (limit, after) => newest.filter((one) => after === undefined || isBehind(one, after)).slice(0, limit),
      count: () => newest.length,
      isCounted: true,
      keysOf: ({ createdAt, id }) => [createdAt, id],
    });
    return { ...page, items: page.items.map(render) };
  }

  @Handles(createSiteShareLink)
  async create({ params, body }: InputOf<typeof createSiteShareLink>, call: Call) {
    const link = call.idFor('share link');
    const { shareLinksPerSite: limit } = call.limits;
    await this.handler(call, params)((state) => create(state, { link, name: body.name, limit }));
    return readAfterCreate(call, () => this.read(call, params, link));
  }

  @Handles(updateSiteShareLinkById)
  async update({ params, body }: InputOf<typeof updateSiteShareLinkById>, call: Call) {
    await this.handler(call, params)((state) => change(state, params.shareLinkId, body));
    return this.read(call, params, params.shareLinkId);
  }

  @Handles(deleteSiteShareLinkById)
  async remove({ params }: InputOf<typeof deleteSiteShareLinkById>, call: Call) {
    const { events } = await this.handler(call, params)((state) => remove(state, params.shareLinkId));
    return events.length > 0;
  }

  private handler({ store }: Call, { siteId }: { siteId: string }) {
    return (decide: Decide<SiteState, SiteEvent>) => store.within({ site: siteId }).handle(site, siteId, decide);
  }

  private async view(call: Call, params: SiteParams) {
    const { site: doc } = await requireSite(call, this.access, call.principal, params);
    const facts = await call.store.read(organizationFacts).byId(doc.organization);
    const address = siteAddress(this.publishing.place, facts?.hostname ?? '', doc);
    const render = ({ id, name, active, createdAt }: ShareLinkState): ShareLink => ({
      object: 'share-link',
      id,
      createdAt,
      name,
      active,
      urls: {
        location: `${call.urls.api}/orgs/${doc.organization}/sites/${doc._id}/share-links/${id}`,
        published: `${address}${keyOfLink(call, doc._id, id)}/`,
      },
    });
    return { links: doc.links, render };
  }

  private async read(call: Call, params: SiteParams, id: string) {
    const { links, render } = await this.view(call, params);
    const found = links.find((link) => link.id === id);
    if (found === undefined) throw new AppError('not_found');
    return render(found);
  }
}

function isBehind({ createdAt, id }: ShareLinkState, [time, last]: readonly [unknown, string, ...unknown[]]): boolean {
  return createdAt === time ? id < last : createdAt < String(time);
}
