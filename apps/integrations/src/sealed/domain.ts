import { defineDomain } from '@scriptorium/platform';
import { dropConfigurationCommand, dropConfigurationTimer } from './drop-sealed.timer.js';
import { configurations, secrets, tasks } from './sealed.operational.js';

/** What is stored encrypted: secrets and tasks of integrations, and configurations of installations. */
export const sealed = defineDomain({
  name: 'sealed',
  indexes: { ...secrets.indexes, ...configurations.indexes, ...tasks.indexes },
  timers: ({ context }) => ({ [dropConfigurationCommand]: dropConfigurationTimer(context) }),
});
