import { defineDomain } from '@scriptorium/platform';
import { provisionedTeams } from './groups/provisioned-team.projection.js';
import { teamNamesReactor } from './groups/team-names.reactor.js';
import { SCIMController } from './scim.controller.js';
import { scimTokens } from './tokens/scim-token.projection.js';
import { SCIMTokensController } from './tokens/scim-tokens.controller.js';

/** The identity providers of organizations create, change and remove members and teams by SCIM. */
export const provisioning = defineDomain({
  name: 'provisioning',
  controllers: [SCIMTokensController, SCIMController],
  projections: [scimTokens, provisionedTeams],
  reactors: () => [teamNamesReactor],
});
