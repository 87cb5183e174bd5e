import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { siteRemoval } from '../model/index.js';
import { publishingAuth } from './publishing-auth.js';
import { dropSecrets } from './keys/secrets.operational.js';

/** What a deleted site had recorded about its visitors is removed, with its keys. */
export function authOfDeletedSites(context: ServiceContext): Reactor {
  return reactor({
    name: 'visitor_auth_of_deleted_sites',
    entities: ['directory'],
    events: [...siteRemoval],
    react: async ({ entityId: organization, data: { site } }, store) => {
      await store.in(organization).erase(publishingAuth, site);
      await dropSecrets(context, site);
    },
  });
}
