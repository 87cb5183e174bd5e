import {
  installationStatus,
  requiredIn,
  type IntegrationDemands,
  type Place,
  type ServiceAccess,
} from '@scriptorium/access';
import {
  roleAtLeast,
  type ConfigurationValues,
  type InstallationStatus,
  type IntegrationInstallation,
} from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { placesIn } from '../places/index.js';
import type { Caller, Showing, StoredIntegration } from '../publishing/index.js';
import { readConfiguration, seenBy } from './configuration.process.js';
import type { FoundInstallation } from './installations.queries.js';
import { isItself } from './integration-caller.queries.js';
import type { Declared } from './values.js';

/** What an integration declares about the configuration of the organization, of a space or of a site. */
export function declaredBy(
  { configurations }: Pick<StoredIntegration, 'configurations'>,
  part: 'account' | 'space' | 'site',
): Declared {
  return configurations[part] as Declared;
}

/** What an integration asks of its installations. */
export function demandsOf({
  scopes,
  configurations,
}: Pick<StoredIntegration, 'scopes' | 'configurations'>): IntegrationDemands {
  return { scopes, required: requiredIn(configurations.account) };
}

/** The status of an installation. */
export function statusOf({
  installation,
  integration,
}: Pick<FoundInstallation, 'installation'> & {
  integration: Pick<StoredIntegration, 'scopes' | 'configurations'>;
}): InstallationStatus {
  return installationStatus(installation, demandsOf(integration));
}

/** Installations as a caller sees them, in the same order. */
export async function showInstallations(
  scope: Scope,
  showing: Showing,
  caller: Caller,
  found: readonly FoundInstallation[],
): Promise<IntegrationInstallation[]> {
  const places = new Map<string, Place | null>();
  for (const { installation } of found) {
    const { organization } = installation;
    if (!places.has(organization)) places.set(organization, await showing.access.placeIn(scope, organization, caller));
  }
  return Promise.all(
    found.map((one) =>
      showInstallation(scope, showing, one, { caller, place: places.get(one.installation.organization) ?? null }),
    ),
  );
}

/** Who sees an installation, and their place in its organization. */
interface Seen {
  caller: Caller;
  place: Place | null;
}

async function showInstallation(
  scope: Scope,
  { access, addresses }: Showing,
  found: FoundInstallation,
  seen: Seen,
): Promise<IntegrationInstallation> {
  const { installation, integration } = found;
  const { _id: id, organization, externalIds, createdAt, updatedAt } = installation;
  return {
    id,
    status: statusOf(found),
    space_selection: installation.spaceSelection,
    site_selection: installation.siteSelection,
    spaces: (await targetsOf(scope, access, 'space', { installation, viewer: null })).length,
    configuration: await seenConfiguration(scope, found, seen),
    createdAt,
    updatedAt,
    urls: {
      ...addresses.installation(integration.name, id),
      ...addresses.endpoints(integration.name, { installation: id }),
    },
    externalIds: [...externalIds],
    target: { organization },
  };
}

/** The spaces, or sites, of an installation that a viewer may see; `null`: all of them. */
export async function targetsOf(
  scope: Scope,
  access: ServiceAccess,
  kind: 'space' | 'site',
  { installation, viewer }: Pick<FoundInstallation, 'installation'> & { viewer: Place | null },
): Promise<readonly string[]> {
  const { organization, spaceSelection, siteSelection, spaces, sites } = installation;
  const [selection, selected] = kind === 'space' ? [spaceSelection, spaces] : [siteSelection, sites];
  if (selection === 'selected' && selected.length === 0) return [];
  const there = await placesIn(scope, access, kind, { organization, viewer });
  if (selection === 'all') return there;
  const among = new Set(selected);
  return there.filter((id) => among.has(id));
}

/**
 * What a caller sees of a configuration: users nothing, unless they may change it. The owner of an integration lists
 * installations of other organizations, whose values are not meant for them.
 */
async function seenConfiguration(
  scope: Scope,
  { installation, integration }: FoundInstallation,
  { caller, place }: Seen,
): Promise<ConfigurationValues> {
  const mayChange = place !== null && !place.withoutSSO && roleAtLeast(place.role, 'create');
  if (!mayChange && !isItself(caller, installation)) return {};
  const { _id: owner, configuration: version } = installation;
  return seenBy(caller, declaredBy(integration, 'account'), await readConfiguration(scope, { owner, version }));
}
