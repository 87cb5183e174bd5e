import { memberRoles } from '@scriptorium/contracts';
import { keyedEntries } from '@scriptorium/event-sourcing';
import type { RosterEvent } from './roster.events.js';
import { memberOf, type Roster, type RosterMember } from './roster.js';

/**
 * Ends the stay of somebody who was erased, whom no rule can keep. Of an organization that they leave without an admin another
 * becomes one: nobody could make anybody one any more. One in which nobody is left who can come in ends with them.
 */
export function dismiss(state: Roster, { user }: { user: string }): RosterEvent[] {
  const member = memberOf(state, user);
  if (state.status !== 'open' || member === undefined) return [];
  const removed: RosterEvent = { type: 'MemberRemoved', data: { user, membership: member.membership } };
  if (state.admins.some((id) => id !== user)) return [removed];
  const [heir] = keyedEntries(state.members).filter(([id, { disabled }]) => id !== user && !disabled).sort(bySeniority);
  return [heir === undefined ? { type: 'RosterClosed', data: {} } : { type: 'MemberRoleChanged', data: { user: heir[0], role: 'admin' } }, removed];
}

/** The higher role first; of equals the one whose id comes first, so that it is the same for whoever decides it. */
function bySeniority([a, { role: ofA }]: [string, RosterMember], [b, { role: ofB }]: [string, RosterMember]): number {
  return rank(ofB) - rank(ofA) || (a < b ? -1 : 1);
}

function rank(role: RosterMember['role']): number {
  return role === null ? -1 : memberRoles.indexOf(role);
}
