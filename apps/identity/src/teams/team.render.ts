import type { Team } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { TeamDocument } from './team.projection.js';
import type { Urls } from '../organization-read-models/index.js';

/** What the answer shows of a team besides its document. */
interface TeamFacts {
  permissions: Team['permissions'];
  spaces: number;
}

export function renderTeam(doc: Stored<TeamDocument>, { permissions, spaces }: TeamFacts, urls: Urls): Team {
  return {
    object: 'team',
    id: doc._id,
    title: doc.title,
    members: doc.members,
    spaces,
    createdAt: doc.createdAt,
    permissions,
    urls: { location: `${urls.api}/orgs/${doc.organization}/teams/${doc._id}` },
  };
}
