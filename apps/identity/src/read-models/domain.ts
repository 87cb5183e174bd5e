import { defineDomain } from '@scriptorium/platform';
import { members } from './member.projection.js';
import { organizations } from './organization.projection.js';
import { samlProviders } from './saml-provider.projection.js';
import { teamMembers } from './team-member.projection.js';
import { teams } from './team.projection.js';
import { users } from './user.projection.js';

/** The projections that several domains read. */
export const readModels = defineDomain({
  name: 'read-models',
  projections: [users, organizations, members, teams, teamMembers, samlProviders],
});
