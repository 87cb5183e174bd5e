import * as z from 'zod';
import { Id } from '../kernel/common.js';
import { internalOperation } from '../kernel/operation.js';

/**
 * An icon or a preview of an integration, for the gateway, which shows it to anybody. `hash`: SHA-256 of the bytes.
 * Refusals: `not_found`.
 */
export const readIntegrationImage = internalOperation({
  id: 'readIntegrationImage',
  service: 'integrations',
  input: z.object({ integration: Id, hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  response: z.object({ type: z.enum(['image/png', 'image/jpeg', 'image/webp']), base64: z.string() }),
});
