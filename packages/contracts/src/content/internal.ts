import * as z from 'zod';
import { Id } from '../common.js';
import { embedBatch } from '../embed.js';
import { internalOperation } from '../operation.js';
import { Space } from './space.js';

/** Spaces by id for responses of other services. Those that the caller may not view, and deleted ones, are left out. */
export const lookupSpaces = internalOperation({
  id: 'lookupSpaces',
  service: 'content',
  input: z.object({ ids: z.array(Id).max(embedBatch) }),
  response: z.object({ items: z.array(Space) }),
});
