import * as z from 'zod';

/** Settings of where a replica answers for public addresses of integrations. */
export const endpointSettings = {
  ENDPOINTS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address at which the service answers for public addresses of integrations, to gateways'),
  ENDPOINTS_PORT: z.coerce.number().int().min(0).max(65_535).default(0).describe('Port for that; 0 takes a free one'),
  ENDPOINTS_URL: z
    .url({ protocol: /^http$/ })
    .optional()
    .describe('Where gateways reach it, `http://host:port`; unset: `http://ENDPOINTS_HOST:<port>`'),
};

export type EndpointSettings = z.output<z.ZodObject<typeof endpointSettings>>;
