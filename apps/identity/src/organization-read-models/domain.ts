import { defineDomain } from '@scriptorium/platform';
import { members } from './member.projection.js';
import { organizations } from './organization.projection.js';
import { provisionedUsers } from './provisioned-user.projection.js';
import { samlProviders } from './saml-provider.projection.js';
import { teamMembers } from './team-member.projection.js';
import { users } from './user.projection.js';

/** The read models of people and organizations that several domains read. */
export const organizationReadModels = defineDomain({
  name: 'organization-read-models',
  projections: [users, organizations, members, teamMembers, samlProviders, provisionedUsers],
});
