import * as z from 'zod';
import { Timestamp } from './common.js';

/** The progress of a run. `total` is absent if it is not known. */
export const RunProgress = z
  .object({ done: z.number(), total: z.number().optional(), message: z.string().optional() })
  .meta({ id: 'RunProgress' });

/** Why a run failed: a stable reason, and a sentence for people. */
export const RunFailure = z.object({ reason: z.string(), message: z.string() }).meta({ id: 'RunFailure' });

export const RunStatus = z.enum(['pending', 'running', 'cancelling', 'done', 'failed', 'cancelled']).meta({
  id: 'RunStatus',
  description: '`cancelling`: it ends at its next step boundary. The last three are final.',
});

/** The fields of every run. A resource that represents a run (an import, an export) has them too. */
export const runFields = {
  id: z.string(),
  status: RunStatus,
  progress: RunProgress.optional(),
  requestedAt: Timestamp,
  startedAt: Timestamp.optional(),
  endedAt: Timestamp.optional(),
  failure: RunFailure.optional(),
};

/** A run as operators see it, without input and result. */
export const Run = z
  .object({
    object: z.literal('run'),
    ...runFields,
    kind: z.string(),
    version: z.int(),
    organization: z.string().nullable(),
    requestedBy: z.string().meta({ description: 'Id of the principal that requested it.' }),
    step: z.int().meta({ description: 'Steps that are done.' }),
    attempts: z.int().meta({ description: 'How often the next step has failed.' }),
    error: z.string().optional().meta({ description: 'By what a step failed last.' }),
  })
  .meta({ id: 'Run' });
