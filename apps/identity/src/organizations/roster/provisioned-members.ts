import { AppError } from '@scriptorium/contracts';
import type { RosterEvent } from '../../events/index.js';
import { join, type Joining, type Joinings } from './memberships.js';
import { memberOf, type Roster } from './roster.js';

/**
 * Makes a person a member whom the identity provider of the organization has, and lets them in through it: as if an
 * admin had invited them with `sso`. A member stays as they are, and is let in.
 * @throws AppError `forbidden` for a member whom an admin has disabled, `limit_reached`
 */
export function admitProvisioned(
  state: Roster,
  { joining, limits }: { joining: Omit<Joining, 'via' | 'sso'>; limits: Joinings['limits'] },
): RosterEvent[] {
  const member = memberOf(state, joining.user);
  if (member === undefined) return join(state, { people: [{ ...joining, via: 'invite', sso: true }], limits });
  if (member.disabled)
    throw new AppError('forbidden', [], { message: 'An admin of the organization has disabled this member' });
  return member.sso ? [] : [{ type: 'MemberMarkedForSSO', data: { user: joining.user } }];
}
