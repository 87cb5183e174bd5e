import { AppError, limitReached, type MemberRole } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedGet,
  keyedPut,
  unchanged,
  type Keyed,
} from '@scriptorium/event-sourcing';
import { type LinkInvitesEvent, linkInvitesEvents } from '../../events/index.js';

type Role = MemberRole | null;

/**
 * All invitation links of an organization by id, with the role that each gives. They are one aggregate, so that their
 * number can be limited.
 */
export interface LinkInvites {
  invites: Keyed<{ role: Role }>;
}

function evolve(state: LinkInvites, event: LinkInvitesEvent): LinkInvites {
  switch (event.type) {
    case 'LinkInviteCreated':
    case 'LinkInviteRoleChanged':
      return { invites: keyedPut(state.invites, event.data.invite, { role: event.data.role }) };
    case 'LinkInviteDeleted':
      return { invites: keyedDrop(state.invites, event.data.invite) };
    default:
      return unchanged(state, event);
  }
}

export const linkInvites = defineAggregate({
  service: 'identity',
  entity: 'links',
  events: linkInvitesEvents,
  initial: { invites: emptyKeyed },
  evolve,
});

/** Creates a link. `limit`: the most links of an organization. */
export function createLink(
  state: LinkInvites,
  input: { invite: string; role: Role; limit: number },
): LinkInvitesEvent[] {
  const { invite, role, limit } = input;
  if (state.invites.size >= limit) throw limitReached('linkInvitesPerOrganization', limit);
  return [{ type: 'LinkInviteCreated', data: { invite, role } }];
}

export function changeLink(state: LinkInvites, input: { invite: string; role: Role }): LinkInvitesEvent[] {
  const present = keyedGet(state.invites, input.invite);
  if (present === undefined) throw new AppError('not_found');
  return present.role === input.role ? [] : [{ type: 'LinkInviteRoleChanged', data: input }];
}

export function deleteLink(state: LinkInvites, input: { invite: string }): LinkInvitesEvent[] {
  return keyedGet(state.invites, input.invite) === undefined ? [] : [{ type: 'LinkInviteDeleted', data: input }];
}
