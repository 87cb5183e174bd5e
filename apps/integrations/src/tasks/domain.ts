import { defineDomain } from '@scriptorium/platform';
import { Dispatcher } from '../dispatch/index.js';
import { deliverTaskCommand, deliverTaskTimer } from './queue-task.process.js';
import { TasksController } from './tasks.controller.js';

/** Tasks that integrations give themselves, for later. */
export const tasks = defineDomain({
  name: 'tasks',
  controllers: [TasksController],
  timers: ({ context, use }) => ({ [deliverTaskCommand]: deliverTaskTimer(context, use(Dispatcher)) }),
});
