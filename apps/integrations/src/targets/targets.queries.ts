import {
  nodeResourceAccess,
  organizationAccess,
  requiredIn,
  type Place,
  type ServiceAccess,
} from '@scriptorium/access';
import {
  referTo,
  roleAtLeast,
  type ConfigurationValues,
  type InstallationStatus,
  type Principal,
  type ResourceAccess,
} from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import {
  declaredBy,
  entryKey,
  accessOfIntegration,
  findInstallation,
  isItself,
  isOfIntegration,
  readConfiguration,
  seenBy,
  targetEntries,
  type FoundInstallation,
  type InstallationParams,
  type Target,
  type TargetEntryDocument,
} from '../installations/index.js';
import { isThere as isInOrganization, levelOn } from '../places/index.js';
import type { Caller, Showing } from '../publishing/index.js';

/** What an installation has on a space or site, as it is answered but for the space or site itself. */
export interface ShownTarget {
  integration: string;
  installation: string;
  status: InstallationStatus;
  configuration: ConfigurationValues;
  externalIds: string[];
  urls: { location: string; publicEndpoint: string; publicContentEndpoint: string };
}

/** A space or site of an installation. */
export interface FoundTarget extends FoundInstallation {
  target: Target;
}

/** Whether a space or site belongs to what an installation selects. */
export function isSelected({ installation }: Pick<FoundInstallation, 'installation'>, { kind, id }: Target): boolean {
  const { spaceSelection, siteSelection, spaces, sites } = installation;
  return kind === 'space'
    ? spaceSelection === 'all' || spaces.includes(id)
    : siteSelection === 'all' || sites.includes(id);
}

/** Access to what is installed on a space or site: by the level there. */
export async function accessToTarget(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { params, target }: { params: InstallationParams; target: Target },
): Promise<ResourceAccess> {
  const found = await findInstallation(scope, params);
  const organization = found?.installation.organization;
  const place = organization === undefined ? null : await access.placeIn(scope, organization, principal);
  if (found !== null && isOfIntegration(principal)) {
    const own = await accessOfIntegration(scope, access, principal, found.installation);
    const isThere = own.exists && isSelected(found, target) && (await isPlaced(scope, access, found, target));
    return { ...own, parentVisible: own.exists, exists: isThere };
  }
  if (found === null || place === null) return { ...organizationAccess(null), exists: false };
  const level = await levelOn(scope, access, place, target);
  return nodeResourceAccess({ place, level: level ?? null }, level !== undefined && isSelected(found, target));
}

function isPlaced(scope: Scope, access: ServiceAccess, { installation }: FoundInstallation, target: Target) {
  return isInOrganization(scope, access, installation.organization, target);
}

/** What is installed on spaces or sites, as a caller sees it, in the same order. */
export async function showTargets(
  scope: Scope,
  showing: Showing,
  caller: Caller,
  found: readonly FoundTarget[],
): Promise<ShownTarget[]> {
  const keys = found.map(({ installation, target }) => entryKey(installation._id, target));
  const entries = new Map((await scope.store.read(targetEntries).byIds(keys)).map((entry) => [entry._id, entry]));
  const places = new Map<string, Place | null>();
  for (const { installation } of found) {
    const { organization } = installation;
    if (!places.has(organization)) places.set(organization, await showing.access.placeIn(scope, organization, caller));
  }
  return Promise.all(
    found.map((one, i) => {
      const seen = {
        caller,
        entry: entries.get(keys[i] ?? ''),
        place: places.get(one.installation.organization) ?? null,
      };
      return showTarget(scope, showing, one, seen);
    }),
  );
}

interface Seen {
  caller: Caller;
  entry: Stored<TargetEntryDocument> | undefined;
  place: Place | null;
}

async function showTarget(
  scope: Scope,
  { access, addresses }: Showing,
  found: FoundTarget,
  { caller, entry, place }: Seen,
): Promise<ShownTarget> {
  const { installation, integration, target } = found;
  const { name } = integration;
  const level = place === null || place.withoutSSO ? null : await levelOn(scope, access, place, target);
  const isSeen = roleAtLeast(level ?? null, 'create') || isItself(caller, installation);
  return {
    integration: name,
    installation: installation._id,
    status: statusOf(found, entry),
    configuration: isSeen ? await seenConfiguration(scope, found, { caller, entry }) : {},
    externalIds: [...(entry?.externalIds ?? [])],
    urls: {
      location: addresses.target(name, installation._id, target),
      ...addresses.endpoints(name, { installation: installation._id, target }),
    },
  };
}

function statusOf({ integration, target }: FoundTarget, entry: Seen['entry']): InstallationStatus {
  const set = entry?.set ?? [];
  return requiredIn(integration.configurations[target.kind]).every((name) => set.includes(name)) ? 'active' : 'pending';
}

async function seenConfiguration(
  scope: Scope,
  { installation, integration, target }: FoundTarget,
  { caller, entry }: Pick<Seen, 'caller' | 'entry'>,
): Promise<ConfigurationValues> {
  const version = entry?.configuration ?? null;
  const values = await readConfiguration(scope, { owner: installation._id, target, version });
  return seenBy(caller, declaredBy(integration, target.kind), values);
}

/** The space or site in the place of which the gateway shows the object, if it is asked for. */
export function referToTarget({ kind, id }: Target, isExtended: boolean): string | ReturnType<typeof referTo> {
  return isExtended ? referTo(kind, id) : id;
}
