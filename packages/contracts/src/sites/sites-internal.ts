import * as z from 'zod';
import { Id } from '../common.js';
import { internalOperation } from '../operation.js';

/** The spaces that stand on a site, hidden ones included. None for a site that the caller may not view. */
export const lookupSpacesOnSite = internalOperation({
  id: 'lookupSpacesOnSite',
  service: 'sites',
  input: z.object({ organization: Id, site: Id }),
  response: z.object({ spaces: z.array(Id) }),
});
