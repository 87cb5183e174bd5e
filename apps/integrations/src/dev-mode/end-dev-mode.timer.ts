import type { TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { endDevMode, integration as integrationOf } from '../publishing/index.js';
import { dropTunnel } from './tunnel.operational.js';

/** The command of the timers that end development modes after their time. */
export const endDevModeCommand = 'end_dev_mode';

const Ended = z.object({ integration: z.string(), until: z.string() });

export function endDevModeTimer(context: Pick<ServiceContext, 'database'>): TimerHandler {
  return async ({ data }, store) => {
    const { integration, until } = Ended.parse(data);
    await store.handle(integrationOf, integration, (state) => endDevMode(state, { reason: 'expired', of: until }));
    await dropTunnel(context, integration, until);
  };
}
