import { queueIntegrationTask, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requireIntegration } from '../publishing/index.js';
import { queueTask } from './queue-task.process.js';

/** Tasks that integrations give themselves. */
@Controller()
export class TasksController {
  @Handles(queueIntegrationTask)
  async queue({ params, body }: InputOf<typeof queueIntegrationTask>, call: Call) {
    await queueTask(call, await requireIntegration(call, params.integrationName), body);
  }
}
