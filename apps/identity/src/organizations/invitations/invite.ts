import { AppError, type MemberRole } from '@scriptorium/contracts';
import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { type InviteEvent, inviteEvents } from '../../events/index.js';

export interface Terms {
  organization: string;
  email: string;
  role: MemberRole | null;
  sso: boolean;
}

export type Invite = { status: 'absent' } | ({ status: 'pending' | 'accepted' | 'revoked' } & Terms);

function evolve(state: Invite, event: InviteEvent): Invite {
  switch (event.type) {
    case 'MemberInvited':
      return { status: 'pending', ...event.data };
    case 'InviteAccepted':
      return state.status === 'absent' ? state : { ...state, status: 'accepted' };
    case 'InviteRevoked':
      return state.status === 'absent' ? state : { ...state, status: 'revoked' };
    default:
      return unchanged(state, event);
  }
}

export const invite = defineAggregate({
  service: 'identity',
  entity: 'invite',
  events: inviteEvents,
  initial: { status: 'absent' },
  evolve,
});

/**
 * Invites an address. No event when an invitation with the same terms is pending.
 * @throws AppError `not_found` when the invitation is over, also after its stream was deleted
 */
export function send(state: Invite, terms: Terms): InviteEvent[] {
  if (state.status === 'accepted' || state.status === 'revoked') throw new AppError('not_found');
  const same = state.status === 'pending' && state.role === terms.role && state.sso === terms.sso;
  return same ? [] : [{ type: 'MemberInvited', data: terms }];
}

export function accept(state: Invite, input: { user: string }): InviteEvent[] {
  return state.status === 'pending' ? [{ type: 'InviteAccepted', data: input }] : [];
}

export function revoke(state: Invite): InviteEvent[] {
  return state.status === 'pending' ? [{ type: 'InviteRevoked', data: {} }] : [];
}
