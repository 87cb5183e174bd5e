import type { Principal } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { RosterEvent } from '../events/index.js';
import { roster, type Roster } from '../organizations/index.js';
import { endTeamMemberships } from './end-team-memberships.process.js';

/** Removes a member as `decide` says, and their team memberships. Returns whether somebody was removed. */
export async function leaveOrganization(
  call: Call<Principal | null>,
  organization: string,
  decide: (state: Roster) => RosterEvent[],
): Promise<boolean> {
  const { events } = await call.store.handle(roster, organization, decide);
  for (const event of events) {
    if (event.type === 'MemberRemoved') await leaveTeams(call, event.data);
  }
  return events.length > 0;
}

/**
 * Runs before the answer, so that the next read shows the right number of team members. If it fails, the reactor does
 * it.
 */
async function leaveTeams(call: Call<Principal | null>, ended: { user: string; membership: string }): Promise<void> {
  try {
    await endTeamMemberships(call, ended);
  } catch (error) {
    call.logger.warn(
      { err: error, requestId: call.store.context.correlation },
      'the team memberships of a removed member are left to the reactor',
    );
  }
}
