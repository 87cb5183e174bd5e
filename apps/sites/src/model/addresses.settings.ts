import * as z from 'zod';

/** Settings of the addresses at which sites are published. */
export const addressSettings = {
  PUBLISH_DOMAIN: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]*[a-z0-9]$/, 'Must be a domain in lower case')
    .default('sites.localhost')
    .describe('Domain below which sites are published: `<hostname of the organization>.<domain>/<basename>/`'),
};
