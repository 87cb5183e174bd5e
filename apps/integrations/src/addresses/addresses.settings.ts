import { integrationsOrigin } from '@scriptorium/platform/config';
import * as z from 'zod';

/** Settings of the addresses of integrations. */
export const addressSettings = {
  CONTENT_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .refine((url) => /^https?:\/\/[^/?#@]+\/?$/.test(url), 'Must be an origin, without a path')
    .default('http://127.0.0.1:8081')
    .describe('Base of the addresses of icons and previews: where clients reach `CONTENT_PORT` of the gateway'),
  INTEGRATIONS_ORIGIN: integrationsOrigin,
};
