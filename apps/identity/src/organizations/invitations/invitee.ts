import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { type InviteeEvent, inviteeEvents } from './invitee.events.js';

/**
 * An invited address of an organization, under a keyed hash. All who invite the address at the same time append to this
 * stream, so they find the same invitation. The stream stays when those of the invitations are deleted.
 */
export interface Invitee {
  /** The id of the open invitation. */
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

/** Opens an invitation. No event when one is open. */
export function open(state: Invitee, input: { invite: string }): InviteeEvent[] {
  return state.invite === null ? [{ type: 'InviteOpened', data: input }] : [];
}

/** Closes an invitation. No event when it is not the open one. */
export function close(state: Invitee, input: { invite: string }): InviteeEvent[] {
  return state.invite === input.invite ? [{ type: 'InviteClosed', data: input }] : [];
}
