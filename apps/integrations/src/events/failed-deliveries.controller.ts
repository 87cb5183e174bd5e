import { invalid, listFailedDeliveries, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { findByName } from '../publishing/index.js';
import { failedDeliveries } from './failed-deliveries.queries.js';

/** What could not be delivered, for operators. */
@Controller()
export class FailedDeliveriesController {
  @Handles(listFailedDeliveries)
  async list({ query: { integration: name, ...query } }: InputOf<typeof listFailedDeliveries>, call: Call) {
    const integration = name === undefined ? undefined : await findByName(call, name);
    if (integration === null) throw invalid('query.integration', 'There is no integration of this name');
    return failedDeliveries(call, { ...query, integration: integration?._id, operation: call.operation });
  }
}
