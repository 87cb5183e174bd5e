import * as z from 'zod';
import { Id } from '../common.js';
import { internalOperation } from '../operation.js';
import { ContentTokenPayload } from '../visitor.js';

/**
 * Whether a content token still holds: the gateway has verified that it was issued here and has not ended. `spaces`: those that it
 * opens now, as the site is at the moment; `null` when it opens nothing any more.
 */
export const authenticateContentToken = internalOperation({
  id: 'authenticateContentToken',
  service: 'sites',
  input: ContentTokenPayload.omit({ spaces: true }),
  response: z.object({ spaces: z.array(Id).nullable() }),
});

/**
 * A token with which a member is a visitor of a site of their organization, for an hour; none for a site that does not ask who its
 * visitors are. `role`: that of the member in the organization; `null` for a guest.
 */
export const issueMemberVisitorToken = internalOperation({
  id: 'issueMemberVisitorToken',
  service: 'sites',
  deadlineMs: 1_500,
  input: z.object({ organization: Id, site: Id, user: Id, role: z.string().nullable() }),
  response: z.object({ token: z.string().optional() }),
});
