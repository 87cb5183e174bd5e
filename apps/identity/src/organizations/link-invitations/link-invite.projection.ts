import type { MemberRole } from '@scriptorium/contracts';
import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { type LinkInvitesEvent, linkInvitesEvents, organizationEvents } from '../../events/index.js';

export interface LinkInviteDocument {
  organization: string;
  role: MemberRole | null;
  createdAt: string;
}

const deletion = organizationEvents.pick('OrganizationDeleted');

function writes(event: Recorded<LinkInvitesEvent | EventOf<typeof deletion>>): Write<LinkInviteDocument>[] {
  switch (event.type) {
    case 'LinkInviteCreated': {
      const { invite, role } = event.data;
      return [{ put: invite, doc: { organization: event.entityId, role, createdAt: event.meta.time } }];
    }
    case 'LinkInviteRoleChanged':
      return [{ set: event.data.invite, fields: { role: event.data.role } }];
    case 'LinkInviteDeleted':
      return [{ remove: event.data.invite }];
    case 'OrganizationDeleted':
      return [{ removeWhere: { organization: event.entityId } }];
    default:
      return [];
  }
}

export const linkInviteDocs = projection({
  name: 'link_invite',
  version: 2,
  entities: ['identity.links', 'identity.organization'],
  events: [linkInvitesEvents, deletion],
  indexes: [{ key: { organization: 1, createdAt: 1, _id: 1 } }],
  writes,
});
