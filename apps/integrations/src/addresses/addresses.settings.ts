import * as z from 'zod';

const origin = /^https?:\/\/(\*\.)?[^/?#@*]+\/?$/;

/** Settings of the addresses of integrations. */
export const addressSettings = {
  CONTENT_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .refine((url) => /^https?:\/\/[^/?#@]+\/?$/.test(url), 'Must be an origin, without a path')
    .default('http://127.0.0.1:8081')
    .describe('Base of the addresses of icons and previews: where clients reach `CONTENT_PORT` of the gateway'),
  INTEGRATIONS_ORIGIN: z
    .string()
    .regex(origin, 'Must be an origin, without a path, such as https://*.integrations.example.org')
    .default('http://*.integrations.localhost:8083')
    .describe(
      'Base of the public addresses of integrations, `urls.publicEndpoint`. `*` stands for a name that is different for each; without it all share one origin',
    ),
};
