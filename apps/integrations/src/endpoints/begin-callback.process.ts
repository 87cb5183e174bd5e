import { AppError, type ConfigurationProperty, type IntegrationConfigurations } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { Addresses } from '../addresses/index.js';
import type { FoundInstallation, Target } from '../installations/index.js';
import { openCallback } from './callbacks.operational.js';

/** What somebody begins: the button of an installation, or of what it has on a space or site. */
export interface Button extends FoundInstallation {
  target: Target | null;
  property: string;
}

/**
 * The one-time address at which a browser begins what a button of a configuration does.
 * @throws AppError `not_found` when there is no such button, `conflict` while the installation is paused
 */
export async function beginButton(
  scope: Pick<Scope, 'database' | 'now' | 'store'>,
  addresses: Addresses,
  { installation, integration, target, property }: Button,
): Promise<string> {
  const declared = propertiesIn(integration.configurations as IntegrationConfigurations, target?.kind ?? 'account');
  const button = buttonOf(declared, property);
  if (button === undefined) throw noButton(declared);
  if (installation.paused !== null)
    throw new AppError('conflict', [], { message: 'The installation is paused: it has to be resumed first' });
  const place = { installation: installation._id, target: target ?? undefined };
  const { publicEndpoint } = addresses.endpoints(integration.name, place);
  const to = addressIn(button, publicEndpoint);
  if (to === undefined) throw new AppError('not_found', [], { message: 'The button leads to no address of the web' });
  return oneTimeAddress(scope, addresses, { installation, integration, to });
}

/**
 * An address that leads to another one, once, and gives the browser the cookie of the installation: for somebody who
 * may configure it.
 */
export async function oneTimeAddress(
  scope: Pick<Scope, 'database' | 'now' | 'store'>,
  addresses: Addresses,
  { installation, integration, to }: FoundInstallation & { to: string },
): Promise<string> {
  const callback = { integration: integration._id, installation: installation._id, to };
  // Nobody opens the address of a request that changes nothing.
  const token = scope.store.dry ? 'dry-run' : await openCallback(scope, callback);
  return addresses.callback(integration.name, token);
}

type Properties = Readonly<Record<string, ConfigurationProperty>>;

function propertiesIn(configurations: IntegrationConfigurations, part: 'account' | 'space' | 'site'): Properties {
  const declared = configurations[part];
  return declared !== undefined && 'properties' in declared ? declared.properties : {};
}

function buttonOf(declared: Properties, property: string): string | undefined {
  const one = Object.hasOwn(declared, property) ? declared[property] : undefined;
  return one?.type === 'button' ? one.callback_url : undefined;
}

function noButton(declared: Properties): AppError {
  const names = Object.entries(declared).flatMap(([name, { type }]) => (type === 'button' ? [name] : []));
  const known = names.length === 0 ? 'The configuration has no button' : `Must be one of: ${names.join(', ')}`;
  const message = 'The configuration has no such button';
  return new AppError('not_found', [{ path: 'params.property', message: known }], { message });
}

/** An address of the web, or one below the endpoint. */
function addressIn(given: string, endpoint: string): string | undefined {
  const isWhole = /^[a-z][a-z0-9+.-]*:/i.test(given);
  const text = isWhole ? given : `${endpoint}/${given.replace(/^\/+/, '')}`;
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}
