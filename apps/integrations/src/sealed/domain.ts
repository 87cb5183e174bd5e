import { defineDomain } from '@scriptorium/platform';
import { dropConfigurationCommand, dropConfigurationTimer } from './drop-sealed.timer.js';
import { configurations, secrets } from './sealed.operational.js';

/** What is stored encrypted: secrets of integrations, and configurations of installations. */
export const sealed = defineDomain({
  name: 'sealed',
  indexes: { ...secrets.indexes, ...configurations.indexes },
  timers: ({ context }) => ({ [dropConfigurationCommand]: dropConfigurationTimer(context) }),
});
