import { getTeamInOrganizationById, type Principal, type Team } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { mayView, type AccessCheck, type Scope } from '@scriptorium/platform';
import { membershipOf } from '../organization-read-models/index.js';
import { type SpaceCounts } from '../organizations/index.js';
import { teams, type TeamDocument } from './team.projection.js';
import { resolveTeam } from './team.access.js';
import { renderTeams } from './teams.queries.js';

const viewTeam: AccessCheck = { operation: getTeamInOrganizationById, resolve: resolveTeam };

/** Teams for responses of other services. Unknown ones, and those that the caller may not see, are left out. */
export async function lookupTeams(
  scope: Scope,
  spaceCounts: SpaceCounts,
  caller: Principal | null,
  ids: readonly string[],
): Promise<Team[]> {
  if (caller === null) return [];
  const byOrganization = new Map<string, Stored<TeamDocument>[]>();
  for (const team of await scope.store.read(teams).byIds([...new Set(ids)])) {
    const { organization: organizationId } = team;
    if (!(await mayView(scope, viewTeam, caller, { organizationId, teamId: team._id }))) continue;
    byOrganization.set(organizationId, [...(byOrganization.get(organizationId) ?? []), team]);
  }
  const rendered = await Promise.all(
    [...byOrganization].map(async ([organization, docs]) => {
      const membership = await membershipOf(scope.store, caller, organization);
      return renderTeams(scope, spaceCounts, docs, { user: caller.id, role: membership?.role ?? null });
    }),
  );
  return rendered.flat();
}
