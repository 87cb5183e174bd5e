import { nodeAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { members } from './member.projection.js';
import { organizations } from './organization.projection.js';
import { samlProviders } from './saml-provider.projection.js';
import { ContentNodes } from './content-nodes.queries.js';
import { SpaceCounts } from './space-counts.queries.js';
import { teamMembers } from './team-member.projection.js';
import { teams } from './team.projection.js';
import { users } from './user.projection.js';

/** The projections that several domains read. `nodeAccess` is made from events of content. */
export const readModels = defineDomain({
  name: 'read-models',
  projections: [users, organizations, members, teams, teamMembers, samlProviders, nodeAccess],
  objects: ({ context }) => {
    const nodes = new ContentNodes(context);
    return [nodes, new SpaceCounts(nodes)];
  },
});
