import { organizationFacts } from '@scriptorium/access';
import { organizationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import { waitForProjections } from '@scriptorium/platform';
import { ingestionEvents } from '../conversations/index.js';
import { deleteAllRun } from './delete-all.run.js';

/** With an organization all of its conversations go. */
export const deletedOrganizationsReactor: Reactor = reactor({
  name: 'conversations_of_deleted_organizations',
  entities: ['identity.organization'],
  events: [defineEvents(organizationEventSchemas).pick('OrganizationDeleted')],
  react: async ({ entityId: organization }, store) => {
    await store.in(organization).requestRun(deleteAllRun, { id: `delete-${organization}`, input: { organization } });
  },
});

/** What was ingested at the moment in which the organization was deleted. */
export const lateConversationsReactor: Reactor = reactor({
  name: 'late_conversations',
  entities: ['ingestion'],
  events: [ingestionEvents],
  react: async ({ entityId: organization, position, id }, store) => {
    await waitForProjections({ store }, { position, type: 'OrganizationDeleted' }, [organizationFacts]);
    const facts = await store.read(organizationFacts).byId(organization);
    if (facts?.deleted !== true) return;
    await store.in(organization).requestRun(deleteAllRun, { id: `delete-${id}`, input: { organization } });
  },
});
