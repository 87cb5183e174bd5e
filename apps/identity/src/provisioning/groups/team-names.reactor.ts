import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { teamEvents } from '../../events/index.js';
import { forgetTeam, provisioning } from '../provisioning.js';

/** Forgets how the identity provider names a team that was deleted, whoever has deleted it. */
export const teamNamesReactor: Reactor = reactor({
  name: 'names_of_deleted_teams',
  version: 1,
  entities: ['identity.team'],
  events: [teamEvents.pick('TeamDeleted')],
  async react({ entityId, meta: { organization } }, store) {
    if (organization === null) return;
    await store.in(organization).handle(provisioning, organization, (state) => forgetTeam(state, { team: entityId }));
  },
});
