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
import { isCall, taskOf, tellsOfEnd } from '../outbox/index.js';
import { requireIntegration } from '../publishing/index.js';
import { eventWithTrace, findEvent, listEvents, showEvent } from './events.queries.js';
import { notRedeliverable, redeliver } from './redeliver.process.js';

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

  /**
   * The same event is delivered again. @throws AppError `conflict` for one that waits, a call, a task, and what tells
   * of an end
   */
  @Handles(redeliverIntegrationEvent)
  async redeliver({ params }: InputOf<typeof redeliverIntegrationEvent>, call: Call) {
    const { _id: integration, name } = await requireIntegration(call, params.integrationName);
    const found = await findEvent(call, integration, params.eventId);
    if (found === null) throw new AppError('not_found');
    if (isCall(found) || taskOf(found) !== undefined) throw notRedeliverable('Calls and tasks are not delivered again');
    if (tellsOfEnd(found)) throw notRedeliverable('That something was removed is told once');
    return showEvent(await redeliver(call, this.dispatcher, found), name);
  }
}

/** An installation sees what was delivered to it alone. */
function onlyOf({ principal: { kind, id } }: Call): { installation?: string } {
  return kind === 'installation' ? { installation: id } : {};
}
