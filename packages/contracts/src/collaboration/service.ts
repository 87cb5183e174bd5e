import { pickOperations } from '../kernel/operation.js';
import { defineServiceContract } from '../kernel/service-contract.js';
import * as changeRequestComments from './change-request-comments.js';
import * as changeRequests from './change-requests.js';
import * as clusterChangeRequests from './cluster-change-requests.js';
import { lookupChangeRequests } from './internal.js';
import { collaborationLimits } from './limits.js';
import * as merges from './merges.js';
import * as notifications from './notifications.js';
import { collaborationStreams } from './public-streams.js';
import * as reviews from './reviews.js';
import * as spaceComments from './space-comments.js';

/** Everything that crosses the border of collaboration. */
export const collaborationContract = defineServiceContract({
  name: 'collaboration',
  operations: pickOperations({
    ...spaceComments,
    ...changeRequests,
    ...clusterChangeRequests,
    ...merges,
    ...reviews,
    ...changeRequestComments,
    ...notifications,
  }),
  internal: { lookupChangeRequests },
  streams: collaborationStreams,
  limits: collaborationLimits,
  embeds: { 'change-request': lookupChangeRequests },
  resourceKinds: {
    installation: { withinOrganization: false },
    organization: { withinOrganization: true },
    space: { withinOrganization: true },
    recoverable_space: { withinOrganization: true },
    change_request: { withinOrganization: true },
    recoverable_change_request: { withinOrganization: true },
    recoverable_review: { withinOrganization: true },
    requested_reviewer: { withinOrganization: true },
    comment: { withinOrganization: true },
    recoverable_comment: { withinOrganization: true },
    comment_reply: { withinOrganization: true },
    recoverable_comment_reply: { withinOrganization: true },
  },
});
