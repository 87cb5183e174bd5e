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
