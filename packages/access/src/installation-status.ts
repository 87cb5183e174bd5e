import type { InstallationStatus, IntegrationScope, PauseReason } from '@scriptorium/contracts';

/** What an integration asks of its installations. */
export interface IntegrationDemands {
  scopes: readonly IntegrationScope[];
  /** The properties that have to be set: of the account. */
  required: readonly string[];
}

/** What an installation has. */
export interface InstallationFacts {
  granted: readonly IntegrationScope[];
  /** The declared properties of the account that have a value. */
  set: readonly string[];
  paused?: PauseReason | null;
}

/** A configuration as events have it, as far as it matters here. */
type Declared =
  { componentId: string } | { properties: Readonly<Record<string, object>>; required?: readonly string[] | undefined };

/** The properties that have to be set: required ones without a default. */
export function requiredIn(configuration: Declared | undefined): string[] {
  if (configuration === undefined || !('properties' in configuration)) return [];
  const { properties, required = [] } = configuration;
  return required.filter((name) => Object.hasOwn(properties, name) && !hasDefault(properties[name]));
}

function hasDefault(property: object | undefined): boolean {
  return property !== undefined && 'default' in property && property.default !== undefined;
}

/** The status of an installation: `pending` as long as something is missing that the integration asks for. Pure. */
export function installationStatus(
  { granted, set, paused = null }: InstallationFacts,
  { scopes, required }: IntegrationDemands,
): InstallationStatus {
  if (paused !== null) return 'paused';
  const isGranted = scopes.every((scope) => granted.includes(scope));
  return isGranted && required.every((name) => set.includes(name)) ? 'active' : 'pending';
}
