import { rosterEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const rosterEvents = defineEvents(rosterEventSchemas);
export type RosterEvent = EventOf<typeof rosterEvents>;

/**
 * Whether a member connected the identity themselves, or the identity created their account. Earlier versions did not
 * record that. Their links count as such unless an admin had marked the member for single sign-on, since at that time
 * only marked members could be linked without a session of their own.
 */
export function isOwnLink({ own }: { own?: boolean | undefined }, member: { sso: boolean }): boolean {
  return own ?? !member.sso;
}
