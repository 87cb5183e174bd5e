import * as z from 'zod';
import { internalOperation, type InternalOperation, type Service } from './operation.js';

/** The most resources in one request. */
export const visibilityBatch = 1000;

/**
 * Whether the caller may see resources of a service, including deleted ones. Each resource is named by an operation
 * that shows it and the parameters of that operation. Every service answers from the access rules of its operations.
 */
const decideVisibility = {
  id: 'decideVisibility',
  input: z.object({
    asked: z.array(z.object({ operation: z.string(), params: z.record(z.string(), z.string()) })).max(visibilityBatch),
  }),
  response: z.object({ visible: z.array(z.boolean()) }),
} as const;

/** The internal operation of one service. */
export function visibilityIn(
  service: Service,
): InternalOperation<typeof decideVisibility.input, typeof decideVisibility.response> {
  return internalOperation({ ...decideVisibility, service });
}
