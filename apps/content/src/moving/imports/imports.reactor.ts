import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { libraryEvents } from '../../library/index.js';
import { dropImports } from './imports.operational.js';

/** With a space goes what is known of imports into it: they have names of files and addresses. */
export function importsOfPurgedSpacesReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'imports_of_purged_spaces',
    entities: ['library'],
    events: [libraryEvents.pick('SpacePurged')],
    react: async ({ data }) => dropImports(context, { space: data.space }),
  });
}
