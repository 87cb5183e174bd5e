import { ServiceAccess, organizationFacts } from '@scriptorium/access';
import { blaming, getSitePublishingPreviewById, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { internalAddress, Publishing, requireSite, sectionIn, siteSpaceIn } from '../model/index.js';
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
    const section = siteSpace.section === null ? undefined : sectionIn(site.structure, siteSpace.section);
    const facts = await call.store.read(organizationFacts).byId(site.organization);
    const claims = JSON.parse(query.claims ?? '{}') as Record<string, unknown>;
    const token = await issuePreview(call.keys, { site: site._id, user: call.principal.id, claims }, call.now());
    // The hostname of the site itself may not lead here yet.
    const address = internalAddress(this.publishing.place, facts?.hostname ?? '', site);
    const { changeRequest, revision } = query;
    const path = [
      ...(section === undefined ? [] : [section.path]),
      siteSpace.path,
      ...(changeRequest === undefined ? [] : ['~', 'changes', changeRequest]),
      ...(revision === undefined ? [] : ['~', 'revisions', revision]),
    ].join('/');
    return { url: `${address}/${path}/?preview=${token}` };
  }
}
