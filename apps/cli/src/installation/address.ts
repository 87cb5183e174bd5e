import { join } from 'node:path';
import { patienceMs, patientFetch, type ClientOptions } from '@scriptorium/contracts';
import { ConfigError } from '@scriptorium/platform/config';
import * as z from 'zod';
import { readAddressSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { readJson } from './private-file.js';

const FirstRun = z.object({ endpoint: z.string(), token: z.string() });

/**
 * The address and token of a running installation: those of the settings, or those that the first start wrote to the
 * data folder. Calls wait for an installation that is busy.
 * @throws ConfigError for an invalid setting; StopError when there are neither
 */
export async function addressOf(
  environment: NodeJS.ProcessEnv,
): Promise<Pick<ClientOptions, 'endpoint' | 'fetch' | 'timeoutMs'> & { token: string }> {
  return { ...(await knownAddress(environment)), fetch: patientFetch(), timeoutMs: patienceMs };
}

async function knownAddress(environment: NodeJS.ProcessEnv): Promise<{ endpoint: string; token: string }> {
  const { DATA_DIR, SCRIPTORIUM_TOKEN: token, SCRIPTORIUM_URL: given } = readAddressSettings(environment);
  const endpoint = given === undefined ? undefined : endpointOf(given);
  if (token !== undefined && endpoint !== undefined) return { endpoint, token };
  const path = join(DATA_DIR, 'first-run.json');
  const kept = FirstRun.safeParse(await readJson(path));
  if (!kept.success) throw new StopError(`set SCRIPTORIUM_URL and SCRIPTORIUM_TOKEN: there is no ${path}`);
  if (token === undefined && endpoint !== undefined && !isOwn(endpoint, kept.data.endpoint))
    throw new ConfigError(`set SCRIPTORIUM_TOKEN: the token in ${path} is for ${kept.data.endpoint} alone`);
  return { endpoint: endpoint ?? kept.data.endpoint, token: token ?? kept.data.token };
}

/**
 * The address of an installation as settings name it, without the `/v1` of its API, with which a start prints it.
 * @throws ConfigError for an address with a user name or a password, which is not told
 */
export function endpointOf(given: string): string {
  const { username, password } = new URL(given);
  if (username !== '' || password !== '')
    throw new ConfigError(
      'the address of the installation (SCRIPTORIUM_URL, --url) must have no user name and no password',
    );
  return given.replace(/\/+$/, '').replace(/\/v1$/, '');
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether the first token may be sent to an address: that of its installation, or one of this machine. */
function isOwn(address: string, own: string): boolean {
  return new URL(address).origin === new URL(own).origin || loopback.test(new URL(address).hostname);
}
