import { rosterEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const rosterEvents = defineEvents(rosterEventSchemas);
export type RosterEvent = EventOf<typeof rosterEvents>;

/**
 * Whether an identity was connected by its member, or created their account. Versions before did not record it: then it did, unless
 * an admin had let the member sign in with single sign-on, as that alone connected accounts of other people.
 */
export function isOwnLink({ own }: { own?: boolean | undefined }, member: { sso: boolean }): boolean {
  return own ?? !member.sso;
}
