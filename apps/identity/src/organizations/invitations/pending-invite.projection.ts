import type { MemberRole } from '@scriptorium/contracts';
import { projection, type Recorded } from '@scriptorium/event-sourcing';
import { type InviteeEvent, inviteeEvents } from './invitee.events.js';
import { type InviteEvent, inviteEvents } from '../../events/index.js';

export interface PendingInviteDocument {
  organization: string;
  email: string;
  role: MemberRole | null;
  sso: boolean;
  invitedAt: string;
}

const closings = inviteeEvents.pick('InviteClosed');

type Consumed = Recorded<InviteEvent | Extract<InviteeEvent, { type: 'InviteClosed' }>>;

function evolve(doc: PendingInviteDocument | null, event: Consumed): PendingInviteDocument | null {
  switch (event.type) {
    case 'MemberInvited':
      return { ...event.data, invitedAt: event.meta.time };
    case 'InviteAccepted':
    case 'InviteRevoked':
    case 'InviteClosed':
      return null;
  }
}

/**
 * A rebuild may find `InviteClosed` without the other events of the invitation, which are removed from disk when it is
 * over.
 */
export const pendingInvites = projection({
  name: 'pending_invite',
  version: 4,
  entities: ['identity.invite', 'identity.invitee'],
  events: [inviteEvents, closings],
  indexes: [{ key: { email: 1 } }, { key: { organization: 1, _id: 1 } }],
  id: (event) => (event.type === 'InviteClosed' ? event.data.invite : event.entityId),
  evolve,
});
