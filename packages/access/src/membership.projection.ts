import { erasureEventSchemas, rosterEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { type MembershipFacts } from './place.js';

const rosterEvents = defineEvents(rosterEventSchemas).pick(
  'MemberJoined',
  'MemberAccountKindRecorded',
  'MemberRoleChanged',
  'MemberIdentityLinked',
  'MemberDisabled',
  'MemberEnabled',
  'MemberRemoved',
  'RosterClosed',
);
const erasureEvents = defineEvents(erasureEventSchemas).pick('UserErased');

type RosterEvent = EventOf<typeof rosterEvents>;
type Consumed = Recorded<RosterEvent | EventOf<typeof erasureEvents>>;

/** The key of a member: one person in one organization. */
export function membershipKey(organization: string, user: string): string {
  return `${organization}:${user}`;
}

function changed(
  doc: MembershipFacts | null,
  event: Exclude<RosterEvent, { type: 'MemberJoined' | 'RosterClosed' }>,
): MembershipFacts | null {
  if (doc === null) return null;
  switch (event.type) {
    case 'MemberAccountKindRecorded':
      return doc.membership === event.data.membership ? { ...doc, kind: event.data.kind } : doc;
    case 'MemberRoleChanged':
      return { ...doc, role: event.data.role };
    case 'MemberIdentityLinked':
      return { ...doc, providers: [...new Set([...doc.providers, event.data.provider])] };
    case 'MemberDisabled':
      return { ...doc, disabled: true };
    case 'MemberEnabled':
      return { ...doc, disabled: false };
    case 'MemberRemoved':
      return null;
  }
}

function writes(event: Consumed): Write<MembershipFacts>[] {
  switch (event.type) {
    case 'MemberJoined': {
      const { user, membership, role, kind = 'person' } = event.data;
      const organization = event.entityId;
      const doc: MembershipFacts = { organization, user, membership, role, kind, providers: [], disabled: false };
      return [{ put: membershipKey(organization, user), doc }];
    }
    case 'RosterClosed':
      return [{ removeWhere: { organization: event.entityId } }];
    case 'UserErased':
      return [{ removeWhere: { user: event.data.user } }];
    default:
      return [{ change: membershipKey(event.entityId, event.data.user), by: (doc) => changed(doc, event) }];
  }
}

/**
 * The members of all organizations. A member without a recorded account kind counts as a person, for whom the stricter
 * rules hold.
 */
export const memberships = projection({
  name: 'membership',
  version: 1,
  entities: ['identity.roster', 'identity.erasure'],
  events: [rosterEvents, erasureEvents],
  indexes: [{ key: { organization: 1, user: 1 } }, { key: { user: 1 } }],
  writes,
});
