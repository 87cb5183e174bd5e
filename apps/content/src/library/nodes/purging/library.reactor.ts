import { organizationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import { libraryEvents } from '../library.events.js';
import { close } from '../deletion.js';
import { library } from '../library.js';
import { purge } from './purge.run.js';
import { schedulePurge } from './purge.timer.js';

/** What was deleted is removed for good seven days later. */
export const deletionsReactor: Reactor = reactor({
  name: 'purge_of_deleted_nodes',
  entities: ['library'],
  events: [libraryEvents.pick('SpaceDeleted', 'CollectionDeleted')],
  react: async ({ entityId: organization, data, meta }, store) => {
    const node = 'space' in data ? data.space : data.collection;
    await schedulePurge(store, { organization, node, deletedAt: meta.time });
  },
});

/** What was deleted before it was transferred is removed when it would have been. */
export const transferredDeletionsReactor: Reactor = reactor({
  name: 'purge_of_transferred_nodes',
  entities: ['library'],
  events: [libraryEvents.pick('TransferEntered')],
  react: async ({ entityId: organization, data: { nodes } }, store) => {
    for (const { id: node, deletedAt } of nodes)
      if (deletedAt !== null) await schedulePurge(store, { organization, node, deletedAt });
  },
});

/** With an organization everything goes that it has, at once. */
export const deletedOrganizationsReactor: Reactor = reactor({
  name: 'libraries_of_deleted_organizations',
  entities: ['identity.organization'],
  events: [defineEvents(organizationEventSchemas).pick('OrganizationDeleted')],
  react: async ({ entityId: organization }, store) => {
    const inside = store.in(organization);
    await inside.handle(library, organization, close);
    await inside.requestRun(purge, { id: `purge-${organization}`, input: { organization, node: null } });
  },
});
