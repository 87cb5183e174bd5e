import { erasureEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { libraryEvents } from '../../library/index.js';
import type { FileStore } from '../../versions/index.js';
import { dropNaming, dropSpacePdfs } from './pdf-store.process.js';

/** With a space go its PDFs. */
export function pdfsOfPurgedSpacesReactor(context: ServiceContext, files: FileStore): Reactor {
  return reactor({
    name: 'pdfs_of_purged_spaces',
    entities: ['library'],
    events: [libraryEvents.pick('SpacePurged')],
    react: async ({ data }) => dropSpacePdfs(context, files, data.space),
  });
}

/** With a person go the PDFs that name them. */
export function pdfsOfErasedPeopleReactor(context: ServiceContext, files: FileStore): Reactor {
  return reactor({
    name: 'pdfs_of_erased_people',
    entities: ['identity.erasure'],
    events: [defineEvents(erasureEventSchemas).pick('UserErased')],
    react: async ({ data }) => dropNaming(context, files, data.user),
  });
}
