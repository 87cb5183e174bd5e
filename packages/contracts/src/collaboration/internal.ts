import * as z from 'zod';
import { ChangeRequest } from '../change-requests/change-request.js';
import { Id } from '../kernel/common.js';
import { internalOperation } from '../kernel/operation.js';

/** Change requests by id for responses of other services. Those that the caller may not view are left out. */
export const lookupChangeRequests = internalOperation({
  id: 'lookupChangeRequests',
  service: 'collaboration',
  input: z.object({ ids: z.array(Id).max(1000) }),
  response: z.object({ items: z.array(ChangeRequest) }),
});
