import type { Scope } from '@scriptorium/platform';
import { initialAuth, type PublishingAuthState } from './publishing-auth.js';
import { publishingAuths } from './publishing-auth.projection.js';

/** How visitors of a site prove who they are. */
export async function findPublishingAuth({ store }: Pick<Scope, 'store'>, site: string): Promise<PublishingAuthState> {
  return (await store.read(publishingAuths).byId(site)) ?? initialAuth;
}
