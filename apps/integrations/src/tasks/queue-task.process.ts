import { AppError, integrationBounds, type InputOf, type queueIntegrationTask } from '@scriptorium/contracts';
import type { TimerHandler } from '@scriptorium/event-sourcing';
import type { Call, ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import type { Dispatcher } from '../dispatch/index.js';
import { insertDeliveries, taskDelivery } from '../outbox/index.js';
import type { StoredIntegration } from '../publishing/index.js';
import { tasks } from '../sealed/index.js';

/** The command of the timers after which scripts get their tasks. */
export const deliverTaskCommand = 'deliver_integration_task';

const { tasks: most } = integrationBounds;
const Due = z.object({ integration: z.string(), organization: z.string(), task: z.string() });

/**
 * Has a task delivered to the script of an integration later. What the script gets is stored encrypted until then.
 * @throws AppError `limit_reached`
 */
export async function queueTask(
  call: Call,
  { _id: integration, organization }: StoredIntegration,
  { task: payload, schedule }: InputOf<typeof queueIntegrationTask>['body'],
): Promise<void> {
  const task = call.idFor('task');
  const name = { owner: integration, version: task };
  const pending = await tasks.versions(call, { owner: integration });
  if (pending.length >= most && !pending.includes(task)) throw tooMany();
  if (call.store.dry) return;
  await tasks.add(call, name, JSON.stringify(payload));
  // Others may have been stored at the same moment: whoever finds too many takes back its own.
  if ((await tasks.versions(call, { owner: integration })).length > most) {
    await tasks.drop(call, [name]);
    throw tooMany();
  }
  await call.store.in(organization).schedule({
    id: `${deliverTaskCommand}:${integration}:${task}`,
    at: call.now() + Math.round(schedule * 1_000),
    command: deliverTaskCommand,
    data: { integration, organization, task },
  });
}

function tooMany(): AppError {
  return new AppError('limit_reached', [], { message: `At most ${most} tasks of an integration can wait` });
}

/** A task that is due is delivered as an event, beside what is delivered to installations. */
export function deliverTaskTimer(
  context: Pick<ServiceContext, 'database' | 'now'>,
  dispatcher: Dispatcher,
): TimerHandler {
  return async ({ data }) => {
    await insertDeliveries(context, [taskDelivery(Due.parse(data), context.now())]);
    dispatcher.poke();
  };
}
