import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { LastSeen } from '../members/last-seen.operational.js';
import { rosterEvents } from '../../events/index.js';
import { clearOrganization, deleteOrganization } from './delete-organization.process.js';

/** Finishes the deletion of an organization whose roster was closed. */
export function deletionsReactor(context: ServiceContext, lastSeen: LastSeen): Reactor {
  return reactor({
    name: 'deleted_organizations',
    version: 1,
    entities: ['identity.roster'],
    events: [rosterEvents.pick('RosterClosed')],
    async react({ entityId: id }, store) {
      const scope = context.scope(store);
      const deleted = await deleteOrganization(scope, id);
      await clearOrganization(scope, lastSeen, { id, deleted });
    },
  });
}
