import type { ServiceAccess } from '@scriptorium/access';
import type { PublishedContentSite } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { lookOfSite, looksOfSiteSpaces, shownLook } from '../customization/index.js';
import {
  renderStructure,
  showingTo,
  showSite,
  viewPublished,
  type Publishing,
  type SiteViewer,
  type ViewedSite,
} from '../model/index.js';
import type { SiteScripts } from '../scripts/index.js';
import { linkWithKey } from '../share-links/index.js';

/** Everything that is needed to show a site to a viewer. Members see it before it is published, too. */
export async function showPublished(
  scope: Scope,
  parts: { access: ServiceAccess; publishing: Publishing; scripts: SiteScripts },
  {
    site,
    level,
    place,
    viewer,
    shareKey,
  }: ViewedSite & {
    viewer: SiteViewer;
    shareKey: string | undefined;
  },
): Promise<PublishedContentSite> {
  const { _id: id, links } = site;
  const isValid = shareKey !== undefined && linkWithKey(scope, { site: id, links }, shareKey) !== undefined;
  const view = await viewPublished(scope, parts, showingTo(viewer, { site, place }, isValid ? shareKey : undefined));
  const siteSpaces = view.structure.siteSpaces.map((one) => one.id);
  const look = await lookOfSite(scope, site);
  const own = await looksOfSiteSpaces(scope, look, siteSpaces);
  const shown = await showSite(scope, parts.publishing, { site, level });
  return {
    object: 'published-content-site',
    // How many spaces there are besides those that a visitor sees is not told either.
    site:
      viewer.kind === 'member'
        ? shown
        : {
            ...shown,
            siteSpaces: siteSpaces.length,
            permissions: { ...shown.permissions, access: false, viewAdaptiveSchema: false },
          },
    structure: renderStructure(view),
    customizations: {
      site: shownLook(site, viewer, look),
      siteSpaces: Object.fromEntries(Object.entries(own).map(([id, one]) => [id, shownLook(site, viewer, one)])),
    },
    scripts: await parts.scripts.of(scope, { id, organization: site.organization }),
  };
}
