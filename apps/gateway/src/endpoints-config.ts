import { isCoveredBy } from '@scriptorium/contracts';
import { ConfigError } from '@scriptorium/platform/config';
import * as z from 'zod';

const count = z.coerce.number().int();
const form = /^https?:\/\/(\*\.)?[^/?#@*]+\/?$/;

/** Settings of the gateway about its third port, for the public addresses of integrations. */
export const endpointsSettings = {
  INTEGRATIONS_PORT: count
    .min(0)
    .max(65_535)
    .default(8083)
    .describe('Port for public addresses of integrations, on the same address; 0 takes a free one.'),
  INTEGRATIONS_ORIGIN: z
    .string()
    .regex(form, 'Must be an origin, without a path, such as https://*.integrations.example.org')
    .optional()
    .describe(
      'Address under which clients reach that port, as integrations has it: `*` stands for a name that is different for each integration. Unset: `http://*.integrations.localhost:INTEGRATIONS_PORT`.',
    ),
  MAX_ENDPOINT_REQUESTS: count
    .min(1)
    .max(100_000)
    .default(200)
    .describe('Requests to public addresses of integrations at a time.'),
} as const;

/** How public addresses of integrations are served. */
export interface EndpointsConfig {
  port: number;
  /** Where clients reach the port, without a slash at its end, and without the part that differs. */
  origin: string;
  /** The hosts of integrations, as `ALLOWED_HOSTS` names them. */
  hosts: readonly string[];
  mostRequests: number;
}

interface Environment extends z.output<z.ZodObject<typeof endpointsSettings>> {
  HOST: string;
  PORT: number;
  PUBLIC_URL?: string | undefined;
}

/** @throws ConfigError when scripts would answer on the origin of the API or of files, or under their names */
export function endpointsConfig(env: Environment, filesOrigin: string): EndpointsConfig {
  const given = env.INTEGRATIONS_ORIGIN ?? `http://*.integrations.localhost:${env.INTEGRATIONS_PORT}`;
  const isDivided = given.includes('*');
  const origin = given.replace('*.', '').replace(/\/$/, '');
  const own = new URL(origin).origin;
  const others = { PUBLIC_URL: env.PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`, CONTENT_ORIGIN: filesOrigin };
  for (const [setting, address] of Object.entries(others)) {
    if (own === new URL(address).origin)
      throw new ConfigError(`INTEGRATIONS_ORIGIN: Must not be the origin of ${setting}`);
    if (isCoveredBy(given, address))
      throw new ConfigError(`INTEGRATIONS_ORIGIN: ${given} must not cover the host of ${setting}, ${address}`);
  }
  return {
    port: env.INTEGRATIONS_PORT,
    origin,
    hosts: isDivided ? [`.${new URL(origin).hostname}`] : [],
    mostRequests: env.MAX_ENDPOINT_REQUESTS,
  };
}
