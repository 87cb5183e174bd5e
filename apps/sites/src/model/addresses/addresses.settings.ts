import * as z from 'zod';

/** Settings of the addresses at which sites are published. */
export const addressSettings = {
  PUBLISH_DOMAIN: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]*[a-z0-9]$/, 'Must be a domain in lower case')
    .default('sites.localhost')
    .describe('Domain below which sites are published: `<hostname of the organization>.<domain>/<basename>/`'),
  SITES_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .refine((url) => /^https?:\/\/[^/?#@]+\/?$/.test(url), 'Must be an origin, without a path')
    .optional()
    .describe(
      'Origin at which the reader shows sites, at `/~site/<id>/`: then this is the address of sites without a hostname or a proxy, and not the one below `PUBLISH_DOMAIN`. `npm start` sets it unless `PUBLISH_DOMAIN` is set',
    ),
};
