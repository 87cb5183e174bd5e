import {
  AppError,
  getIntegrationEvent,
  listIntegrationEvents,
  listIntegrationInstallationEvents,
  redeliverIntegrationEvent,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { Dispatcher } from '../dispatch/index.js';
import { requireInstallation } from '../installations/index.js';
import { deliveries, isCall, taskOf } from '../outbox/index.js';
import { requireIntegration } from '../publishing/index.js';
import { eventWithTrace, findEvent, listEvents, showEvent } from './events.queries.js';

/** What was delivered to scripts. */
@Controller()
export class EventsController {
  constructor(readonly dispatcher: Dispatcher) {}

  @Handles(listIntegrationEvents)
  async ofIntegration({ params, query }: InputOf<typeof listIntegrationEvents>, call: Call) {
    const { _id: integration, name } = await requireIntegration(call, params.integrationName);
    return listEvents(call, { integration, ...onlyOf(call) }, name, { ...query, operation: call.operation });
  }

  @Handles(listIntegrationInstallationEvents)
  async ofInstallation({ params, query }: InputOf<typeof listIntegrationInstallationEvents>, call: Call) {
    const { installation, integration } = await requireInstallation(call, params);
    const of = { integration: integration._id, installation: installation._id };
    return listEvents(call, of, integration.name, { ...query, operation: call.operation });
  }

  @Handles(getIntegrationEvent)
  async one({ params }: InputOf<typeof getIntegrationEvent>, call: Call) {
    const { _id: integration, name } = await requireIntegration(call, params.integrationName);
    return eventWithTrace(call, { integration, name, event: params.eventId, ...onlyOf(call) });
  }

  /** The same event is delivered again. @throws AppError `conflict` for one that waits, a call and a task */
  @Handles(redeliverIntegrationEvent)
  async redeliver({ params }: InputOf<typeof redeliverIntegrationEvent>, call: Call) {
    const { _id: integration, name } = await requireIntegration(call, params.integrationName);
    const found = await findEvent(call, integration, params.eventId);
    if (found === null) throw new AppError('not_found');
    if (isCall(found) || taskOf(found) !== undefined)
      throw new AppError('conflict', [], { message: 'Calls and tasks are not delivered again' });
    const again = { state: 'queued' as const, reason: null, attempts: 0, nextAt: call.now() };
    if (!call.store.dry) {
      const filter = { _id: found._id, state: { $ne: 'queued' as const } };
      const { matchedCount } = await deliveries(call).updateOne(filter, { $set: again });
      if (matchedCount === 0)
        throw new AppError('conflict', [], { message: 'The event waits to be delivered', retryAfter: 5 });
      this.dispatcher.poke();
    }
    return showEvent({ ...found, ...again }, name);
  }
}

/** An installation sees what was delivered to it alone. */
function onlyOf({ principal: { kind, id } }: Call): { installation?: string } {
  return kind === 'installation' ? { installation: id } : {};
}
