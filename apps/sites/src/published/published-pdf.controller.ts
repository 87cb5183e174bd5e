import { ServiceAccess } from '@scriptorium/access';
import { AppError, getPublishedPdf, preparePublishedPdf, type InputOf } from '@scriptorium/contracts';
import { ask, Controller, Handles, Reply, type Call } from '@scriptorium/platform';
import { lookOfSite, looksOfSiteSpaces } from '../customization/index.js';
import { Publishing, requireSite, showingTo, siteSpaceAddress, viewerOf, viewPublished } from '../model/index.js';
import { linkWithKey } from '../share-links/index.js';

/** PDFs of what sites show, where the site offers them. */
@Controller()
export class PublishedPdfController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
  ) {}

  /** A space that the visitor is not shown has no PDF, and neither has one of which the site offers none. */
  @Handles(getPublishedPdf)
  async get({ params, query }: InputOf<typeof getPublishedPdf>, call: Call) {
    const { principal, waitSeconds } = call;
    if (principal.kind !== 'visitor') throw new AppError('not_found');
    const { space: asked, page, only, paper } = query;
    const viewed = await requireSite(call, this.access, principal, params);
    const { site, place } = viewed;
    const { viewer, shareKey } = viewerOf(principal, undefined);
    const isValid =
      shareKey !== undefined && linkWithKey(call, { site: site._id, links: site.links }, shareKey) !== undefined;
    const showing = showingTo(viewer, { site, place }, isValid ? shareKey : undefined);
    const view = await viewPublished(call, this, showing);
    const space = asked ?? principal.visitor.spaces[0];
    const siteSpace = view.structure.siteSpaces.find((one) => one.space === space);
    if (siteSpace === undefined) throw new AppError('not_found');
    const look = await lookOfSite(call, site);
    const own = (await looksOfSiteSpaces(call, look, [siteSpace.id]))[siteSpace.id] ?? look;
    if (!own.pdf.enabled) throw new AppError('not_found');
    const published = siteSpaceAddress(view, siteSpace);
    const pdf = await ask(call, preparePublishedPdf, {
      organization: params.organizationId,
      space: siteSpace.space,
      page,
      only,
      paper,
      waitSeconds,
      ...(published === undefined ? {} : { published: published.endsWith('/') ? published : `${published}/` }),
    });
    return new Reply(pdf, { waited: waitSeconds > 0 });
  }
}
