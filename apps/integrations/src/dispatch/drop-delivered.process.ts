import type { ServiceContext } from '@scriptorium/platform';
import { dropDeliveries, type Deliveries } from '../outbox/index.js';
import { forgetFailures } from './failures.operational.js';
import { dropTraces } from './traces.operational.js';

/** Removes what was delivered, what waits to be, and what scripts did with it. Safe to repeat. */
export async function dropDelivered(context: Pick<ServiceContext, 'database'>, of: Deliveries): Promise<void> {
  for await (const events of dropDeliveries(context, of)) await dropTraces(context, events);
  if ('installation' in of) await forgetFailures(context, of.installation);
}
