import { libraryEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import { deleteLink, linkInvites } from './link-invites.js';
import { linkInviteDocs } from './link-invite.projection.js';

const purges = defineEvents(libraryEventSchemas).pick('SpacePurged', 'CollectionPurged');

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
