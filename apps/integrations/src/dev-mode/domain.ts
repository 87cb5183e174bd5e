import { defineDomain } from '@scriptorium/platform';
import { DevModeController } from './dev-mode.controller.js';
import { devModes } from './dev-mode.projection.js';
import { endDevModeCommand, endDevModeTimer } from './end-dev-mode.timer.js';
import { TunnelClient } from './tunnel-client.process.js';
import { tunnelIndexes } from './tunnel.operational.js';

/** Integrations whose developers get what their scripts would. */
export const devMode = defineDomain({
  name: 'dev-mode',
  controllers: [DevModeController],
  projections: [devModes],
  objects: ({ context }) => [new TunnelClient(context)],
  timers: ({ context }) => ({ [endDevModeCommand]: endDevModeTimer(context) }),
  indexes: tunnelIndexes,
});
