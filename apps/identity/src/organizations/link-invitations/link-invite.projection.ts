import type { MemberRole } from '@scriptorium/contracts';
import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { linkInvitesEvents } from './link-invites.events.js';
import { organizationEvents } from '../../events/index.js';

/** A link to the organization has a role; one to a space or collection has a level on it. */
export type LinkInviteDocument = { organization: string; createdAt: string } & (
  | { role: MemberRole | null; to?: undefined }
  | { level: MemberRole | null; to: { kind: 'space' | 'collection'; id: string } }
);

/** All events except those that content alone consumes. */
const consumed = linkInvitesEvents.pick(
  'LinkInviteCreated',
  'LinkInviteRoleChanged',
  'ContentLinkInviteCreated',
  'ContentLinkInviteLevelChanged',
  'LinkInviteDeleted',
);

const deletion = organizationEvents.pick('OrganizationDeleted');

function writes(event: Recorded<EventOf<typeof consumed> | EventOf<typeof deletion>>): Write<LinkInviteDocument>[] {
  switch (event.type) {
    case 'LinkInviteCreated': {
      const { invite, role } = event.data;
      return [{ put: invite, doc: { organization: event.entityId, role, createdAt: event.meta.time } }];
    }
    case 'LinkInviteRoleChanged':
      return [{ set: event.data.invite, fields: { role: event.data.role } }];
    case 'ContentLinkInviteCreated': {
      const { invite, ...terms } = event.data;
      return [{ put: invite, doc: { organization: event.entityId, ...terms, createdAt: event.meta.time } }];
    }
    case 'ContentLinkInviteLevelChanged':
      return [{ set: event.data.invite, fields: { level: event.data.level } }];
    case 'LinkInviteDeleted':
      return [{ remove: event.data.invite }];
    case 'OrganizationDeleted':
      return [{ removeWhere: { organization: event.entityId } }];
  }
}

export const linkInviteDocs = projection({
  name: 'link_invite',
  version: 3,
  entities: ['identity.links', 'identity.organization'],
  events: [consumed, deletion],
  indexes: [{ key: { organization: 1, createdAt: 1, _id: 1 } }],
  writes,
});
