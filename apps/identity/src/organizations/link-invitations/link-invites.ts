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
import { type LinkInvitesEvent, linkInvitesEvents } from './link-invites.events.js';

type Role = MemberRole | null;

/** What a link gives: a role in the organization, or a level on a space or collection of it. */
export type LinkTerms = { role: Role } | { level: Role; to: { kind: 'space' | 'collection'; id: string } };

/**
 * All invitation links of an organization by id, with what each gives. They are one aggregate, so that their number can
 * be limited.
 */
export interface LinkInvites {
  invites: Keyed<LinkTerms>;
}

function evolve(state: LinkInvites, event: LinkInvitesEvent): LinkInvites {
  switch (event.type) {
    case 'LinkInviteCreated':
    case 'LinkInviteRoleChanged':
      return { invites: keyedPut(state.invites, event.data.invite, { role: event.data.role }) };
    case 'ContentLinkInviteCreated': {
      const { invite, ...terms } = event.data;
      return { invites: keyedPut(state.invites, invite, terms) };
    }
    case 'ContentLinkInviteLevelChanged': {
      const { invite, level } = event.data;
      const present = keyedGet(state.invites, invite);
      if (present === undefined || 'role' in present) return state;
      return { invites: keyedPut(state.invites, invite, { ...present, level }) };
    }
    case 'ContentLinkInviteUsed':
      return state;
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
  input: { invite: string; terms: LinkTerms; limit: number },
): LinkInvitesEvent[] {
  const { invite, terms, limit } = input;
  if (state.invites.size >= limit) throw limitReached('linkInvitesPerOrganization', limit);
  return [
    'role' in terms
      ? { type: 'LinkInviteCreated', data: { invite, ...terms } }
      : { type: 'ContentLinkInviteCreated', data: { invite, ...terms } },
  ];
}

/** Changes the role of a link to the organization. */
export function changeRole(state: LinkInvites, input: { invite: string; role: Role }): LinkInvitesEvent[] {
  const present = keyedGet(state.invites, input.invite);
  if (present === undefined || !('role' in present)) throw new AppError('not_found');
  return present.role === input.role ? [] : [{ type: 'LinkInviteRoleChanged', data: input }];
}

/** Changes the level of a link to a space or collection. */
export function changeLevel(state: LinkInvites, input: { invite: string; level: Role }): LinkInvitesEvent[] {
  const present = keyedGet(state.invites, input.invite);
  if (present === undefined || 'role' in present) throw new AppError('not_found');
  return present.level === input.level ? [] : [{ type: 'ContentLinkInviteLevelChanged', data: input }];
}

/** Records that a member has used a link to a space or collection. @throws AppError `not_found` when it was deleted */
export function useContentLink(
  state: LinkInvites,
  input: { invite: string; user: string; membership: string },
): LinkInvitesEvent[] {
  const present = keyedGet(state.invites, input.invite);
  if (present === undefined || 'role' in present) throw new AppError('not_found');
  return [{ type: 'ContentLinkInviteUsed', data: { ...input, ...present } }];
}

export function deleteLink(state: LinkInvites, input: { invite: string }): LinkInvitesEvent[] {
  return keyedGet(state.invites, input.invite) === undefined ? [] : [{ type: 'LinkInviteDeleted', data: input }];
}
