import type { ServiceAccess } from '@scriptorium/access';
import { invalid, type RedirectDestination, type RedirectDestinationInput } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import {
  requireSite,
  sectionIn,
  siteSpaceIn,
  siteSpacesInOrder,
  type RecordedSite,
  type SiteParams,
} from '../model/index.js';
import { locateFirst } from './locate-first.process.js';

/**
 * Where a redirect leads, as it is stored: an address, or what is on the site now.
 * @throws AppError `invalid_request` that names the field
 */
export async function checkedDestination(
  call: Call,
  access: ServiceAccess,
  params: SiteParams,
  wanted: RedirectDestinationInput,
): Promise<RedirectDestination> {
  if (wanted.kind === 'url' || wanted.kind === 'external') return wanted;
  const { site } = await requireSite(call, access, call.principal, params);
  if (wanted.kind === 'site-section') {
    if (sectionIn(site.structure, wanted.siteSectionId) !== undefined) return wanted;
    throw invalid('body.destination.siteSectionId', 'There is no such section on the site');
  }
  if (wanted.kind === 'site-space') {
    requireSiteSpace(site, wanted.siteSpaceId);
    return wanted;
  }
  return checkedPage(call, site, wanted);
}

type WantedPage = Extract<RedirectDestinationInput, { kind: 'page' | 'site-page' }>;

async function checkedPage(call: Call, site: RecordedSite, wanted: WantedPage): Promise<RedirectDestination> {
  if ('siteSpaceId' in wanted && wanted.siteSpaceId !== undefined) {
    const { siteSpaceId, pageId = '' } = wanted;
    const { space } = requireSiteSpace(site, siteSpaceId);
    await requirePage(call, site, [space], { page: pageId, field: 'body.destination.pageId' });
    return { kind: 'site-page', siteSpaceId, pageId };
  }
  const { page = '', space } = wanted;
  const spaces = siteSpacesInOrder(site.structure).map((one) => one.space);
  if (space !== undefined && !spaces.includes(space))
    throw invalid('body.destination.space', 'The space is not on the site');
  await requirePage(call, site, space === undefined ? spaces : [space], { page, field: 'body.destination.page' });
  return { kind: 'page', page, ...(space === undefined ? {} : { space }) };
}

function requireSiteSpace({ structure }: RecordedSite, id: string): { space: string } {
  const found = siteSpaceIn(structure, id);
  if (found === undefined) throw invalid('body.destination.siteSpaceId', 'There is no such site space on the site');
  return found;
}

async function requirePage(
  call: Call,
  { organization }: RecordedSite,
  spaces: readonly string[],
  { page, field }: { page: string; field: string },
): Promise<void> {
  const found = await locateFirst(call, { organization, spaces, page });
  if (found === undefined) throw invalid(field, 'There is no such page on the site');
}
