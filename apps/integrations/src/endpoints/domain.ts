import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import { CallScript } from '../dispatch/index.js';
import { CallbacksController } from './callbacks.controller.js';
import { callbackIndexes } from './callbacks.operational.js';
import { EndpointServer } from './endpoint-server.process.js';
import { endpointSettings } from './endpoints.settings.js';
import { VisitorLoginController } from './visitor-login.controller.js';

/** Public addresses of integrations, at which their scripts answer. */
export const endpoints = defineDomain({
  name: 'endpoints',
  settings: endpointSettings,
  controllers: [CallbacksController, VisitorLoginController],
  objects: ({ context, settings, use }) => {
    const [access, addresses, callScript] = [use(ServiceAccess), use(Addresses), use(CallScript)];
    return [new EndpointServer({ context, access, addresses, callScript }, settings)];
  },
  indexes: callbackIndexes,
});
