import type { SiteCustomization } from '@scriptorium/contracts';
import { passing, type SiteSettings, type SiteViewer } from '../model/index.js';

/**
 * How a site looks to a viewer. Visitors get the links whose conditions let them pass, without the conditions. Pure.
 */
export function shownLook(
  site: Pick<SiteSettings, 'adaptiveContent' | 'adaptiveSchema'>,
  viewer: SiteViewer,
  look: SiteCustomization,
): SiteCustomization {
  if (viewer.kind === 'member') return look;
  const { header } = look;
  const links = header.links.filter(passing(site, viewer)).map(({ condition: _, ...link }) => link);
  return { ...look, header: { ...header, links } };
}
