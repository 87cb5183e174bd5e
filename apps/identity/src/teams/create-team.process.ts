import type { Scope } from '@scriptorium/platform';
import { organizations } from '../organization-read-models/index.js';
import { create, team, type Candidate } from './team.js';

export interface NewTeam {
  id: string;
  organization: string;
  title: string;
  members: readonly Candidate[];
}

/** Creates a team if the organization may have one more. @throws AppError `limit_reached` */
export async function createTeam(scope: Scope, { id, organization, title, members }: NewTeam): Promise<void> {
  const { store, quotas, limits } = scope;
  const look = async () => ({
    present: (await store.read(organizations).byId(organization))?.teams ?? 0,
    more: 1,
  });
  const made = async () => (await store.load(team, id)).status !== 'absent';
  await quotas.within({ limit: 'teamsPerOrganization', of: organization, most: 1, look, made }, () =>
    store.handle(team, id, (state) => create(state, { organization, title, members, limit: limits.membersPerTeam }), {
      isNew: true,
    }),
  );
}
