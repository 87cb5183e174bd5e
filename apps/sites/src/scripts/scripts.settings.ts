import { integrationsOrigin } from '@scriptorium/platform/config';

/** Settings of the addresses of scripts. */
export const scriptSettings = { INTEGRATIONS_ORIGIN: integrationsOrigin };
