import { blaming } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { knownSites } from './known-site.projection.js';

/** @throws AppError `default_content_invalid` for a site that the organization does not have */
export async function checkDefaultSite(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  site: string | null | undefined,
): Promise<void> {
  if (site == null || (await store.read(knownSites).byId(site))?.organization === organization) return;
  throw blaming('default_content_invalid', 'body.defaultContent.site', 'No such site in the organization');
}
