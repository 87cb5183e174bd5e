import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { abandonCommand, abandonTimer, begunRequestsReactor } from './abandoned.timer.js';
import { changeRequestsAccess } from './access.js';
import { changeRequests as changeRequestDocs } from './list/change-request.projection.js';
import { contributors } from './contributors/contributor.projection.js';
import { ChangeRequestsController } from './change-requests.controller.js';
import { ClusterChangeRequestsController } from './cluster-change-requests.controller.js';
import { describedRequestsReactor } from './change-requests.reactor.js';

/** Change requests: number, status, subject and description. Their content is in the content service. */
export const changeRequests = defineDomain({
  name: 'change-requests',
  controllers: [ChangeRequestsController, ClusterChangeRequestsController],
  projections: [changeRequestDocs, contributors],
  reactors: () => [describedRequestsReactor, begunRequestsReactor],
  timers: () => ({ [abandonCommand]: abandonTimer }),
  resolvers: ({ use }) => changeRequestsAccess(use(ServiceAccess)),
});
