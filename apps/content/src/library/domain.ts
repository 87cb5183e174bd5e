import { defineDomain } from '@scriptorium/platform';
import { lateBranchesReactor } from './late-branches.reactor.js';
import { ContentObjects } from '../objects/index.js';
import { deletedOrganizationsReactor, deletionsReactor, transferredDeletionsReactor } from './library.reactor.js';
import { purgeHandler } from './purge.run.js';
import { purgeCommand, purgeTimer } from './purge.timer.js';
import { unaddedCommand, unaddedTimer } from './unadded.timer.js';

/** What organizations have: where spaces and collections stand, their deletion and what follows from it. */
export const library = defineDomain({
  name: 'library',
  reactors: () => [deletionsReactor, transferredDeletionsReactor, deletedOrganizationsReactor, lateBranchesReactor],
  timers: ({ use }) => ({ [purgeCommand]: purgeTimer, [unaddedCommand]: unaddedTimer(use(ContentObjects)) }),
  runs: ({ context, use }) => [purgeHandler(context, use(ContentObjects))],
});
