import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { siteSpaceRemoval } from '../model/index.js';
import { customization } from './customization.js';

/** What a space has overridden on a site goes with it. */
export const removedSiteSpacesReactor: Reactor = reactor({
  name: 'removed_site_spaces',
  entities: ['site'],
  events: [siteSpaceRemoval],
  react: async ({ data: { siteSpace } }, store) => {
    await store.erase(customization, siteSpace);
  },
});
