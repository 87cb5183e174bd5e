import type { Revision } from '@scriptorium/contracts';
import type { Asking, Scope } from '@scriptorium/platform';
import { onSitesOf, siteAddressesOf } from '../../../library/index.js';
import type { ContentView } from '../view/view.queries.js';

/**
 * The sites that show the present content of a space, for the entity tag: where it is published follows from their
 * changes.
 */
export async function noteSites(scope: Pick<Scope, 'store'>, view: ContentView): Promise<boolean> {
  const { organization, space, also } = view;
  const shown = (await onSitesOf(scope, [space]))(space, organization);
  if (shown !== undefined) also.push(shown.sites);
  return shown !== undefined;
}

/** Where the present content of a space is published. */
export async function publishedUrls(
  asking: Asking,
  view: ContentView,
  shareKey: string | undefined,
): Promise<Pick<Revision['urls'], 'published' | 'public'>> {
  if (!(await noteSites(asking, view))) return {};
  const { organization, space } = view;
  return (await siteAddressesOf(asking, { organization, spaces: [space], shareKey })).get(space) ?? {};
}
