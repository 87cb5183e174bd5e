import { rankOfRole } from '@scriptorium/contracts';
import { keyedEntries } from '@scriptorium/event-sourcing';
import type { RosterEvent } from '../../events/index.js';
import { memberOf, type Roster, type RosterMember } from './roster.js';

/**
 * Removes a member who was erased, whatever the rules say. If they were the last admin, the active member with the
 * highest role becomes admin, since nobody could appoint one any more. If no active member is left, the organization
 * ends.
 */
export function removeErasedMember(state: Roster, { user }: { user: string }): RosterEvent[] {
  const member = memberOf(state, user);
  if (state.status !== 'open' || member === undefined) return [];
  const removed: RosterEvent = { type: 'MemberRemoved', data: { user, membership: member.membership } };
  if (state.admins.some((id) => id !== user)) return [removed];
  const [successor] = keyedEntries(state.members)
    .filter(([id, { disabled }]) => id !== user && !disabled)
    .sort(bySeniority);
  return [
    successor === undefined
      ? { type: 'RosterClosed', data: {} }
      : { type: 'MemberRoleChanged', data: { user: successor[0], role: 'admin' } },
    removed,
  ];
}

/** The highest role first, then the smallest id, so that every replica decides the same. */
function bySeniority([a, { role: ofA }]: [string, RosterMember], [b, { role: ofB }]: [string, RosterMember]): number {
  return rankOfRole(ofB) - rankOfRole(ofA) || (a < b ? -1 : 1);
}
