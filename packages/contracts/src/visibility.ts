import * as z from 'zod';
import { internalOperation, type InternalOperation, type Service } from './operation.js';

/** The largest number of things in one exchange. */
export const visibilityBatch = 1000;

/**
 * Whether the caller may see things of a service, deleted ones included. Each thing is named by an operation that shows it and
 * its parameters. Every service answers from the access rules of its operations.
 */
const decideVisibility = {
  id: 'decideVisibility',
  input: z.object({
    asked: z.array(z.object({ operation: z.string(), params: z.record(z.string(), z.string()) })).max(visibilityBatch),
  }),
  response: z.object({ visible: z.array(z.boolean()) }),
} as const;

/** The exchange with one service. */
export function visibilityIn(
  service: Service,
): InternalOperation<typeof decideVisibility.input, typeof decideVisibility.response> {
  return internalOperation({ ...decideVisibility, service });
}
