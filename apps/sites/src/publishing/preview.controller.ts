import { ServiceAccess, organizationFacts } from '@scriptorium/access';
import { blaming, getSitePublishingPreviewById, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import {
  internalAddress,
  Publishing,
  requireSite,
  sectionIn,
  sectionsOf,
  siteSpaceIn,
  siteSpacesIn,
} from '../model/index.js';
import { issuePreview } from './entering/preview-token.process.js';

/** Previews of sites as visitors see them. */
@Controller()
export class PreviewController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly publishing: Publishing,
  ) {}

  @Handles(getSitePublishingPreviewById)
  async preview({ params, query }: InputOf<typeof getSitePublishingPreviewById>, call: Call) {
    const { site } = await requireSite(call, this.access, call.principal, params);
    const siteSpace = siteSpaceIn(site.structure, query.siteSpace);
    if (siteSpace === undefined)
      throw blaming('invalid_request', 'query.siteSpace', 'There is no such site space on the site');
    const nodes = await this.access.nodesOf(call, site.organization);
    if (!nodes.has(siteSpace.space) || nodes.deletedAt(siteSpace.space) !== null)
      throw blaming('not_found', 'query.siteSpace', 'The space is deleted');
    const section = siteSpace.section === null ? undefined : sectionIn(site.structure, siteSpace.section);
    const facts = await call.store.read(organizationFacts).byId(site.organization);
    const claims = JSON.parse(query.claims ?? '{}') as Record<string, unknown>;
    const token = await issuePreview(call.keys, { site: site._id, user: call.principal.id, claims }, call.now());
    // The hostname of the site itself may not lead here yet.
    const address = internalAddress(this.publishing.place, facts?.hostname ?? '', site);
    const { changeRequest, revision } = query;
    const path = [
      // What has no siblings needs no name: clients that try the beginnings of an address do not look for one.
      ...(section === undefined || sectionsOf(site.structure).length === 1 ? [] : [section.path]),
      ...(siteSpacesIn(site.structure, siteSpace.section).length === 1 ? [] : [siteSpace.path]),
      ...(changeRequest === undefined ? [] : ['~', 'changes', changeRequest]),
      ...(revision === undefined ? [] : ['~', 'revisions', revision]),
    ].map((part) => `${part}/`);
    return { url: `${address}/${path.join('')}?preview=${token}` };
  }
}
