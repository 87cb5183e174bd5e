import { siteDirectoryEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { sitesWithLookFiles } from './look-files.operational.js';
import type { LookFiles } from './look-files.process.js';

/** The files of a look go with its site, and with the organization. */
export function deletedSitesReactor(context: ServiceContext, looks: LookFiles): Reactor {
  return reactor({
    name: 'look_files_of_deleted_sites',
    version: 1,
    from: 'now',
    entities: ['sites.directory'],
    events: [defineEvents(siteDirectoryEventSchemas).pick('SiteDeleted', 'SiteDirectoryClosed')],
    react: async (event) => {
      const gone = event.type === 'SiteDeleted' ? [event.data.site] : await sitesWithLookFiles(context, event.entityId);
      for (const site of gone) await looks.dropAll(site);
    },
  });
}
