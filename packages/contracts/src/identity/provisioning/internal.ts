import * as z from 'zod';
import { Id, Timestamp } from '../../kernel/common.js';
import { internalOperation } from '../../kernel/operation.js';

/** The principal of a SCIM token. The gateway sends the SHA-256 of the token, never the token itself. */
export const authenticateSCIMToken = internalOperation({
  id: 'authenticateSCIMToken',
  service: 'identity',
  input: z.object({ id: z.string(), hash: z.string() }),
  response: z.object({
    principal: z
      .object({
        kind: z.literal('provisioner'),
        id: Id,
        token: z.object({ id: Id, kind: z.literal('scim'), expiresAt: Timestamp.optional() }),
        organization: Id,
        operator: z.literal(false),
      })
      .nullable(),
  }),
});

/**
 * A request by SCIM (RFC 7644) of the identity provider of an organization, as the gateway received it. `path`: its
 * parts below the base URL. The answer is complete but for its media type; `location` is set for what was created.
 */
export const answerSCIM = internalOperation({
  id: 'answerSCIM',
  service: 'identity',
  deadlineMs: 30_000,
  input: z.object({
    params: z.object({ organizationId: z.string() }),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: z.array(z.string()),
    query: z.record(z.string(), z.string()),
    body: z.unknown().optional(),
  }),
  response: z.object({ status: z.int(), body: z.unknown().optional(), location: z.string().optional() }),
});
