import { defineDomain } from '@scriptorium/platform';
import { deletedOrganizationsReactor, deletionsReactor } from './library.reactor.js';
import { purgeHandler } from './purge.run.js';
import { purgeCommand, purgeTimer } from './purge.timer.js';
import { unaddedCommand, unaddedTimer } from './unadded.timer.js';

/** What organizations have: where spaces and collections stand, their deletion and what follows from it. */
export const library = defineDomain({
  name: 'library',
  reactors: () => [deletionsReactor, deletedOrganizationsReactor],
  timers: ({ context }) => ({ [purgeCommand]: purgeTimer, [unaddedCommand]: unaddedTimer(context) }),
  runs: ({ context }) => [purgeHandler(context)],
});
