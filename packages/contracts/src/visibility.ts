import * as z from 'zod';
import { internalOperation, type InternalOperation, type Service } from './operation.js';

/** What is asked about at a time. */
export const visibilityBatch = 1000;

/**
 * Whether a caller may see things of a service: each is named by an operation that shows it and its parameters, deleted ones included. Every service
 * answers it from the access rules of its operations.
 */
const decideVisibility = {
  id: 'decideVisibility',
  input: z.object({
    /** The caller, as in the header of a request. */
    principal: z.string(),
    asked: z.array(z.object({ operation: z.string(), params: z.record(z.string(), z.string()) })).max(visibilityBatch),
  }),
  response: z.object({ visible: z.array(z.boolean()) }),
} as const;

/** The exchange with one service. */
export function visibilityIn(service: Service): InternalOperation<typeof decideVisibility.input, typeof decideVisibility.response> {
  return internalOperation({ ...decideVisibility, service });
}
