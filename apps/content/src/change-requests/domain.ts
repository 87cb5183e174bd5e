import { defineDomain } from '@scriptorium/platform';
import { BranchesController } from './branches.controller.js';
import { changeRequestControllers } from './change-request-content.controller.js';

/** The content of change requests: reading and changing it, taking over the main content, merging. */
export const changeRequests = defineDomain({
  name: 'change-requests',
  controllers: [BranchesController, ...changeRequestControllers],
});
