import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { libraryEvents } from '../../library/index.js';
import type { FileStore } from '../../versions/index.js';
import { dropSpacePdfs } from './pdf-store.process.js';

/** With a space go its PDFs. */
export function pdfsOfPurgedSpacesReactor(context: ServiceContext, files: FileStore): Reactor {
  return reactor({
    name: 'pdfs_of_purged_spaces',
    entities: ['library'],
    events: [libraryEvents.pick('SpacePurged')],
    react: async ({ data }) => dropSpacePdfs(context, files, data.space),
  });
}
