import { resolveLevel, type Level, type Place, type ServiceAccess } from '@scriptorium/access';
import { roleAtLeast } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { knownSites, type KnownSiteDocument } from './known-site.projection.js';
import { knownSpaces } from './known-space.projection.js';

/** What an integration is installed on besides the organization. */
export type TargetKind = 'space' | 'site';

/** Who looks: a member, or `null` for all that there is. */
type Viewer = Place | null;

/** The spaces, or sites, of an organization that are there and that a viewer may see. */
export async function placesIn(
  scope: Scope,
  access: ServiceAccess,
  kind: TargetKind,
  { organization, viewer }: { organization: string; viewer: Viewer },
): Promise<readonly string[]> {
  if (kind === 'space') return spacesIn(scope, access, organization, viewer);
  const sites = await scope.store.read(knownSites).find({ organization, isAdded: true }).toArray();
  if (viewer === null) return sites.map(({ _id }) => _id);
  const levels = await levelsOnSites(scope, access, viewer, sites);
  return sites.filter((_site, i) => roleAtLeast(levels[i] ?? null, 'read')).map(({ _id }) => _id);
}

async function spacesIn(
  scope: Scope,
  access: ServiceAccess,
  organization: string,
  viewer: Viewer,
): Promise<readonly string[]> {
  if (viewer !== null) {
    const { nodes, member } = await access.viewerAt(scope, viewer);
    return nodes.visibleTo(member).spaces;
  }
  // Admins see all of them.
  const all = { user: '', membership: '', role: 'admin', teams: [] } as const;
  return (await access.nodesOf(scope, organization)).visibleTo(all).spaces;
}

/** The level of a member on a space or site of their organization; `undefined` when there is none. */
export async function levelOn(
  scope: Scope,
  access: ServiceAccess,
  place: Place,
  { kind, id }: { kind: TargetKind; id: string },
): Promise<Level | undefined> {
  if (kind === 'space') {
    if ((await scope.store.read(knownSpaces).byId(id)) === null) return undefined;
    const { nodes, member } = await access.viewerAt(scope, place);
    return nodes.has(id) && nodes.deletedAt(id) === null ? nodes.levelOn(id, member) : undefined;
  }
  const site = await scope.store.read(knownSites).byId(id);
  if (site?.isAdded !== true || site.organization !== place.organization) return undefined;
  const [level] = await levelsOnSites(scope, access, place, [site]);
  return level ?? null;
}

/** Whether an organization has a space or site that is not deleted. */
export async function isThere(
  scope: Scope,
  access: ServiceAccess,
  organization: string,
  { kind, id }: { kind: TargetKind; id: string },
): Promise<boolean> {
  if (kind === 'space') {
    if ((await scope.store.read(knownSpaces).byId(id)) === null) return false;
    const nodes = await access.nodesOf(scope, organization);
    return nodes.has(id) && nodes.deletedAt(id) === null;
  }
  const site = await scope.store.read(knownSites).byId(id);
  return site?.isAdded === true && site.organization === organization;
}

async function levelsOnSites(
  scope: Scope,
  access: ServiceAccess,
  place: Place,
  sites: readonly Stored<KnownSiteDocument>[],
): Promise<Level[]> {
  const isTeamless = sites.every(({ teams }) => teams.length === 0);
  const member = isTeamless ? { ...place, teams: [] } : (await access.viewerWithTeamsAt(scope, place)).member;
  return sites.map(({ users, teams }) =>
    resolveLevel(member, [
      {
        defaultLevel: 'inherit',
        users: new Map(users.map(({ user, membership, level }) => [user, { membership, level }])),
        teams: new Map(teams.map(({ team, level }) => [team, level])),
      },
    ]),
  );
}
