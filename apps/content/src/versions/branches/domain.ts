import { defineDomain } from '@scriptorium/platform';
import { abandonedBranchesReactor } from './abandoned-branches.reactor.js';
import { branches as branchDocs } from './branch.projection.js';
import { requestBranches } from './request-branch.projection.js';
import { requestNumbers } from './request-number.projection.js';
import { revisions } from './revision.projection.js';

/** Lines of revisions: the main content of each space, and of change requests. */
export const branches = defineDomain({
  name: 'branches',
  reactors: () => [abandonedBranchesReactor],
  projections: [branchDocs, revisions, requestBranches, requestNumbers],
});
