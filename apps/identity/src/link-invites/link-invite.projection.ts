import type { MemberRole } from '@scriptorium/contracts';
import { projection, type Recorded } from '@scriptorium/event-sourcing';
import { linkInvitesEvents, type LinkInvitesEvent } from './link-invites.events.js';

export interface LinkInviteDocument {
  organization: string;
  role: MemberRole | null;
  createdAt: string;
}

function evolve(doc: LinkInviteDocument | null, event: Recorded<LinkInvitesEvent>): LinkInviteDocument | null {
  switch (event.type) {
    case 'LinkInviteCreated':
      return { organization: event.entityId, role: event.data.role, createdAt: event.meta.time };
    case 'LinkInviteRoleChanged':
      return doc === null ? null : { ...doc, role: event.data.role };
    case 'LinkInviteDeleted':
      return null;
    default:
      return doc;
  }
}

export const linkInviteDocs = projection({
  name: 'link_invite',
  version: 1,
  entities: ['identity.links'],
  events: [linkInvitesEvents],
  indexes: [{ key: { organization: 1, createdAt: 1, _id: 1 } }],
  id: (event) => event.data.invite,
  evolve,
});
