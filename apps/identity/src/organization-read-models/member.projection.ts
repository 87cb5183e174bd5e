import type { MemberRole } from '@scriptorium/contracts';
import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { isOwnLink, rosterEvents } from '../events/index.js';

export interface MemberDocument {
  organization: string;
  user: string;
  membership: string;
  role: MemberRole | null;
  disabled: boolean;
  /** Whether an admin has marked them for single sign-on. */
  sso: boolean;
  /** Providers at which they have an identity. Deleted providers stay in the list. */
  providers: string[];
  /** The ones among them that the member connected from their own session, or that created their account. */
  ownProviders: string[];
  /** Whether they joined by themselves, or have accepted that an admin added them. */
  accepted: boolean;
  joinedAt: string;
  /** When they joined, or were last disabled or enabled. */
  modifiedAt: string;
}

/** The key of a member: one person in one organization. */
export function memberKey(organization: string, user: string): string {
  return `${organization}:${user}`;
}

/** All events except those about account kinds, which are shown with the person. */
const consumed = rosterEvents.pick(
  'MemberJoined',
  'MemberAccepted',
  'MemberRoleChanged',
  'MemberMarkedForSSO',
  'MemberIdentityLinked',
  'MemberDisabled',
  'MemberEnabled',
  'MemberRemoved',
  'RosterClosed',
);
type Consumed = EventOf<typeof consumed>;
type MemberEvent = Exclude<Consumed, { type: 'RosterClosed' }>;

function evolve(doc: MemberDocument | null, event: Recorded<MemberEvent>): MemberDocument | null {
  if (event.type === 'MemberJoined') {
    const { user, membership, role, sso = false, unaccepted = false } = event.data;
    const organization = event.entityId;
    const none = { providers: [], ownProviders: [], disabled: false };
    const times = { joinedAt: event.meta.time, modifiedAt: event.meta.time };
    return { organization, user, membership, role, sso, ...none, accepted: !unaccepted, ...times };
  }
  if (doc === null) return null;
  switch (event.type) {
    case 'MemberRoleChanged':
      return { ...doc, role: event.data.role };
    case 'MemberMarkedForSSO':
      return { ...doc, sso: true };
    case 'MemberAccepted':
      return { ...doc, accepted: true };
    case 'MemberIdentityLinked': {
      const { provider } = event.data;
      const others = doc.ownProviders.filter((id) => id !== provider);
      const ownProviders = isOwnLink(event.data, doc) ? [...others, provider] : others;
      return { ...doc, providers: [...new Set([...doc.providers, provider])], ownProviders };
    }
    case 'MemberDisabled':
      return { ...doc, disabled: true, modifiedAt: event.meta.time };
    case 'MemberEnabled':
      return { ...doc, disabled: false, modifiedAt: event.meta.time };
    case 'MemberRemoved':
      return null;
  }
}

function writes(event: Recorded<Consumed>): Write<MemberDocument>[] {
  switch (event.type) {
    case 'RosterClosed':
      return [{ removeWhere: { organization: event.entityId } }];
    default:
      return [{ change: memberKey(event.entityId, event.data.user), by: (doc) => evolve(doc, event) }];
  }
}

export const members = projection({
  name: 'member',
  version: 6,
  entities: ['identity.roster'],
  events: [consumed],
  history: { of: 'identity.roster' },
  indexes: [
    { key: { organization: 1, joinedAt: 1, _id: 1 } },
    { key: { organization: 1, role: 1, joinedAt: 1, _id: 1 } },
    { key: { user: 1, _id: 1 } },
  ],
  writes,
});
