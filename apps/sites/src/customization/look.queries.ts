import type { SiteCustomization } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { customizations, type SiteDocument } from '../model/index.js';
import { defaultCustomization, withChosen } from './choices.js';

type Looking = Pick<Stored<SiteDocument>, '_id' | 'title'>;

/** How a site looks. */
export async function lookOfSite({ store }: Pick<Scope, 'store'>, site: Looking): Promise<SiteCustomization> {
  const chosen = await store.read(customizations).byId(site._id);
  return withChosen(defaultCustomization(site.title), chosen?.settings);
}

/** How those of these spaces of a site look that override something, by the id of the site space. */
export async function looksOfSiteSpaces(
  { store }: Pick<Scope, 'store'>,
  look: SiteCustomization,
  siteSpaces: readonly string[],
): Promise<Record<string, SiteCustomization>> {
  const chosen = await store.read(customizations).byIds(siteSpaces);
  return Object.fromEntries(chosen.map(({ _id, settings }) => [_id, withChosen(look, settings)]));
}
