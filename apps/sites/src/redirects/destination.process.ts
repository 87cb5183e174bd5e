import type { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  invalid,
  locateInContent,
  type RedirectDestination,
  type RedirectDestinationInput,
} from '@scriptorium/contracts';
import { ask, type Call } from '@scriptorium/platform';
import { requireSite, siteSpacesInOrder, type SiteParams } from '../model/index.js';

/**
 * Where a redirect leads, as it is stored. A space that is named has to be on the site, and the page in it; without one, the page is looked
 * for when somebody asks for the path.
 * @throws AppError `invalid_request` that names the field
 */
export async function checkedDestination(
  call: Call,
  access: ServiceAccess,
  params: SiteParams,
  wanted: RedirectDestinationInput,
): Promise<RedirectDestination> {
  if (wanted.kind === 'url') return wanted;
  const { site } = await requireSite(call, access, call.principal, params);
  const { page, space } = wanted;
  const spaces = siteSpacesInOrder(site.structure).map((one) => one.space);
  if (space !== undefined && !spaces.includes(space))
    throw invalid('body.destination.space', 'The space is not on the site');
  const isThere = space === undefined || (await hasPage(call, space, page));
  if (!isThere) throw invalid('body.destination.page', 'There is no such page in the space');
  return { kind: 'page', page, ...(space === undefined ? {} : { space }) };
}

async function hasPage(call: Call, space: string, page: string): Promise<boolean> {
  try {
    const { found } = await ask(call, locateInContent, { space, branch: space, places: [{ page }] });
    return found[0] === true;
  } catch (error) {
    if (error instanceof AppError && error.reason === 'not_found') return false;
    throw error;
  }
}
