import * as z from 'zod';
import { Id } from '../kernel/common.js';
import { ContentConflict } from '../content/versions/conflicts.js';
import { operation } from '../kernel/operation.js';
import { changeRequestParams, changeRequestPath } from './change-requests.js';

const base = { service: 'collaboration', tag: 'Change requests' } as const;
const params = z.object(changeRequestParams);
/** Merging and updating are tried again on a moved head for 60 s, so they may take longer than other requests. */
const deadlineMs = 62_000;
const conflicts = z
  .array(ContentConflict)
  .meta({ description: 'What both sides changed in ways that exclude each other, as far as it is not resolved.' });

export const getChangeRequestUpdateStatus = operation({
  ...base,
  id: 'getChangeRequestUpdateStatus',
  method: 'GET',
  path: `${changeRequestPath}/update`,
  summary: 'Get how a change request stands to the content of its space, with conflicts that are not resolved',
  access: { scope: 'space:read', resource: 'recoverable_change_request', view: ['read'], allow: ['read'] },
  params,
  response: z.object({
    revision: Id.meta({ description: 'The newest revision of the change request.' }),
    outdated: z.boolean().meta({ description: 'Whether the space has revisions that it has not taken over.' }),
    conflicts,
  }),
});

export const updateChangeRequest = operation({
  ...base,
  id: 'updateChangeRequest',
  method: 'POST',
  path: `${changeRequestPath}/update`,
  summary: 'Take over into a change request what is new in its space',
  access: { scope: 'space:write', resource: 'change_request', view: ['read'], allow: ['edit'] },
  params,
  response: z.object({
    revision: Id.meta({ description: 'The newest revision of the change request.' }),
    result: z.enum(['update', 'conflicts']),
    conflicts: conflicts.optional(),
  }),
  deadlineMs,
  reasons: ['limit_reached', 'conflict'],
});

export const mergeChangeRequest = operation({
  ...base,
  id: 'mergeChangeRequest',
  method: 'POST',
  path: `${changeRequestPath}/merge`,
  summary: 'Merge a change request into its space',
  access: { scope: 'change-request:merge', resource: 'change_request', view: ['read'], allow: ['review'] },
  params,
  response: z.object({
    revision: Id.meta({ description: 'Of the space for `merge`, of the change request for `conflicts`.' }),
    result: z.enum(['merge', 'conflicts']),
    conflicts: conflicts.optional(),
  }),
  deadlineMs,
  reasons: ['merge_rules_failed', 'limit_reached', 'conflict'],
});
