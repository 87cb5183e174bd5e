import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { type InviteeEvent, inviteeEvents } from '../../events/index.js';

/**
 * An address within an organization, under a keyed hash: the place where all who invite it at once meet, so that they find
 * the same invitation. It outlives the invitations, whose own streams are deleted.
 */
export interface Invitee {
  /** The open invitation's id. */
  invite: string | null;
}

function evolve(state: Invitee, event: InviteeEvent): Invitee {
  switch (event.type) {
    case 'InviteOpened':
      return { invite: event.data.invite };
    case 'InviteClosed':
      return state.invite === event.data.invite ? { invite: null } : state;
    default:
      return unchanged(state, event);
  }
}

export const invitee = defineAggregate({
  service: 'identity',
  entity: 'invitee',
  events: inviteeEvents,
  initial: { invite: null },
  evolve,
});

/** Opens an invitation; nothing when one is open. */
export function open(state: Invitee, input: { invite: string }): InviteeEvent[] {
  return state.invite === null ? [{ type: 'InviteOpened', data: input }] : [];
}

/** Closes an invitation; nothing when it is not the open one. */
export function close(state: Invitee, input: { invite: string }): InviteeEvent[] {
  return state.invite === input.invite ? [{ type: 'InviteClosed', data: input }] : [];
}
