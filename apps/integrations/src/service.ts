import { accessWithInstallationsDomain } from '@scriptorium/access';
import { integrationsContract } from '@scriptorium/contracts';
import { defineService } from '@scriptorium/platform';
import { addresses } from './addresses/domain.js';
import { cascades } from './cascades/domain.js';
import { compute } from './compute/domain.js';
import { devMode } from './dev-mode/domain.js';
import { dispatch } from './dispatch/domain.js';
import { endpoints } from './endpoints/domain.js';
import { events } from './events/domain.js';
import { installations } from './installations/domain.js';
import { outbox } from './outbox/domain.js';
import { places } from './places/domain.js';
import { publishing } from './publishing/domain.js';
import { render } from './render/domain.js';
import { replay } from './replay/domain.js';
import { scripts } from './scripts/domain.js';
import { sealed } from './sealed/domain.js';
import { targets } from './targets/domain.js';
import { tasks } from './tasks/domain.js';
import { tokens } from './tokens/domain.js';
import { visits } from './visits/domain.js';
import { webhooks } from './webhooks/domain.js';

/** The integrations service: its domains in their order. A domain imports only those before it. */
export const integrations = defineService({
  service: integrationsContract.name,
  operator: integrationsContract.operator,
  domains: [
    accessWithInstallationsDomain,
    addresses,
    sealed,
    scripts,
    places,
    publishing,
    installations,
    targets,
    tokens,
    devMode,
    webhooks,
    outbox,
    dispatch,
    render,
    compute,
    tasks,
    events,
    replay,
    endpoints,
    visits,
    cascades,
  ],
});
