import * as z from 'zod';
import { exceedsBytes } from '../kernel/bytes.js';
import { operation } from '../kernel/operation.js';
import { integrationBounds } from './bounds.js';
import { integrationParams } from './integration.js';

export const queueIntegrationTask = operation({
  id: 'queueIntegrationTask',
  service: 'integrations',
  tag: 'Integrations',
  method: 'POST',
  path: '/integrations/{integrationName}/tasks',
  summary: 'Have the script of an integration called with a task, at once or later; for the integration itself',
  access: { tokens: ['integration'], resource: 'integration', view: ['integration'], allow: ['integration'] },
  params: z.object(integrationParams),
  body: z.object({
    task: z
      .record(z.string(), z.unknown())
      .refine((task) => !exceedsBytes(JSON.stringify(task), integrationBounds.taskBytes), {
        message: `At most ${integrationBounds.taskBytes} bytes as JSON`,
      })
      .meta({ description: 'What the script gets, as JSON of at most 16 KiB.' }),
    schedule: z
      .number()
      .min(0)
      .max(integrationBounds.taskDelaySeconds)
      .default(0)
      .meta({ description: 'Seconds until then.' }),
  }),
  reasons: ['limit_reached'],
});
