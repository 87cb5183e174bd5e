import { gatewaySettings } from '@scriptorium/gateway/config';
import { parseConfig, serviceSettings } from '@scriptorium/platform/config';
import { parseKeyring } from '@scriptorium/platform/keyring';
import type * as z from 'zod';
import { settingsOf } from '../apps.js';

/**
 * Checks the settings of all processes of the installation before any of them starts. Variables that are not set are
 * not checked, since `start` sets them.
 * @throws ConfigError naming the first variable with an invalid value
 */
export async function refuseBadSettings(environment: NodeJS.ProcessEnv, services: readonly string[]): Promise<void> {
  parseConfig(whereSet(gatewaySettings), environment);
  parseConfig(whereSet(serviceSettings), environment);
  const others = services.includes('integrations') ? ['runtime'] : [];
  for (const service of [...services, ...others]) parseConfig(whereSet(await settingsOf(service)), environment);
  const { SECRET_KEYS } = environment;
  if (SECRET_KEYS !== undefined && SECRET_KEYS !== '') parseKeyring(SECRET_KEYS);
}

function whereSet(settings: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(settings).map(([name, schema]) => [name, schema.optional()]));
}
