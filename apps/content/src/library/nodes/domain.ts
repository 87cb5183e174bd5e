import { defineDomain } from '@scriptorium/platform';
import { lateBranchesReactor } from './purging/late-branches.reactor.js';
import { ContentObjects } from '../../versions/index.js';
import {
  deletedOrganizationsReactor,
  deletionsReactor,
  transferredDeletionsReactor,
} from './purging/library.reactor.js';
import { purgeHandler } from './purging/purge.run.js';
import { purgeCommand, purgeTimer } from './purging/purge.timer.js';
import { unaddedCommand, unaddedTimer } from './purging/unadded.timer.js';

/** What organizations have: where spaces and collections stand, their deletion and what follows from it. */
export const nodes = defineDomain({
  name: 'nodes',
  reactors: () => [deletionsReactor, transferredDeletionsReactor, deletedOrganizationsReactor, lateBranchesReactor],
  timers: ({ use }) => ({ [purgeCommand]: purgeTimer, [unaddedCommand]: unaddedTimer(use(ContentObjects)) }),
  runs: ({ context, use }) => [purgeHandler(context, use(ContentObjects))],
});
