import { defineDomain } from '@scriptorium/platform';
import { deletedOrganizationsReactor, lateConversationsReactor } from './cascades.reactor.js';
import { deleteAllHandler } from './delete-all.run.js';

/** What ends with organizations. */
export const cascades = defineDomain({
  name: 'cascades',
  runs: ({ context }) => [deleteAllHandler(context)],
  reactors: () => [deletedOrganizationsReactor, lateConversationsReactor],
});
