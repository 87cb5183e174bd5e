import { libraryEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import { deleteLink, linkInvites } from './link-invites.js';
import { linkInviteDocs } from './link-invite.projection.js';

const purges = defineEvents(libraryEventSchemas).pick('SpacePurged', 'CollectionPurged');

const transfers = defineEvents(libraryEventSchemas).pick('TransferEntered');

/** Deletes the links by which people join an organization to see what it has transferred to another one. */
export const linksOfTransferredReactor: Reactor = reactor({
  name: 'links_of_transferred_nodes',
  version: 1,
  entities: ['content.library'],
  events: [transfers],
  async react({ data: { from: organization, nodes } }, store) {
    const ids = nodes.map(({ id }) => id);
    const found = await store
      .read(linkInviteDocs)
      .find({ organization, 'to.id': { $in: ids } })
      .toArray();
    for (const { _id: invite } of found)
      await store.in(organization).handle(linkInvites, organization, (state) => deleteLink(state, { invite }));
  },
});

/** Deletes the links to a space or collection that was purged. */
export const linksOfPurgedReactor: Reactor = reactor({
  name: 'links_of_purged_nodes',
  version: 1,
  entities: ['content.library'],
  events: [purges],
  async react(event, store) {
    const { entityId: organization } = event;
    const id = event.type === 'SpacePurged' ? event.data.space : event.data.collection;
    const found = await store.read(linkInviteDocs).find({ organization, 'to.id': id }).toArray();
    for (const { _id: invite } of found)
      await store.in(organization).handle(linkInvites, organization, (state) => deleteLink(state, { invite }));
  },
});
