import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { waitForProjections, type ServiceContext } from '@scriptorium/platform';
import { customizationEvents, customizations, siteSpaceRemoval } from '../model/index.js';
import { customization } from './customization.js';
import { dropUnshownFiles } from './shown-files.process.js';

/** What a space has overridden on a site goes with it. */
export const removedSiteSpacesReactor: Reactor = reactor({
  name: 'removed_site_spaces',
  entities: ['site'],
  events: [siteSpaceRemoval],
  react: async ({ data: { siteSpace } }, store) => {
    await store.erase(customization, siteSpace);
  },
});

/** Files that a look does not show any more are dropped. Whoever changes the look does not wait for this. */
export function changedLooksReactor(context: Pick<ServiceContext, 'scope'>): Reactor {
  return reactor({
    name: 'files_of_changed_looks',
    version: 1,
    // Each change looks at all files of the site: older ones need none.
    from: 'now',
    entities: ['customization', 'site'],
    events: [customizationEvents, siteSpaceRemoval],
    react: async (event, store) => {
      const scope = context.scope(store);
      await waitForProjections(scope, event, [customizations]);
      await dropUnshownFiles(scope, event.type === 'SiteSpaceRemoved' ? event.entityId : event.data.site);
    },
  });
}
