import type { MemberRole } from '@scriptorium/contracts';
import { projection, type Recorded } from '@scriptorium/event-sourcing';
import { inviteEvents, type InviteEvent } from './invite.events.js';

export interface PendingInviteDocument {
  organization: string;
  email: string;
  role: MemberRole | null;
  sso: boolean;
  invitedAt: string;
}

function evolve(doc: PendingInviteDocument | null, event: Recorded<InviteEvent>): PendingInviteDocument | null {
  switch (event.type) {
    case 'MemberInvited':
      return { ...event.data, invitedAt: event.meta.time };
    case 'InviteAccepted':
      return null;
    default:
      return doc;
  }
}

export const pendingInvites = projection({
  name: 'pending_invite',
  version: 1,
  entities: ['identity.invite'],
  events: [inviteEvents],
  indexes: [{ key: { email: 1 } }, { key: { organization: 1, _id: 1 } }],
  id: (event) => event.entityId,
  evolve,
});
