import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { erasureEvents, organizationEvents, rosterEvents, userEvents } from '../events/index.js';

/** How the identity provider of an organization names a person. It stays when the membership ends. */
export interface ProvisionedUserDocument {
  organization: string;
  user: string;
  userName: string;
  /** The name as it is compared. */
  userNameKey: string;
  externalId: string | null;
  displayName: string | null;
  /** Absent where it is `displayName`. */
  formatted?: string | null | undefined;
  givenName: string | null;
  familyName: string | null;
  /** Whether the provider made the account. */
  created: boolean;
  /** Whether the provider wants them to become a member. */
  joining?: boolean | undefined;
  /** Whether they are a member. `none`: they have not been one since the provider named them. */
  membership: 'none' | 'present' | 'ended';
  createdAt: string;
  /** When their names last changed, or whether they are an active member. */
  modifiedAt: string;
}

export function provisionedKey(organization: string, user: string): string {
  return `${organization}:${user}`;
}

const named = userEvents.pick('UserProvisioned', 'UserDeprovisioned');
const belonging = rosterEvents.pick('MemberJoined', 'MemberDisabled', 'MemberEnabled', 'MemberRemoved');
const erased = erasureEvents.pick('UserErased');
const deleted = organizationEvents.pick('OrganizationDeleted');
type Belonging = Recorded<EventOf<typeof belonging>>;
type Consumed = Belonging | Recorded<EventOf<typeof named> | EventOf<typeof erased> | EventOf<typeof deleted>>;

function writes(event: Consumed): Write<ProvisionedUserDocument>[] {
  switch (event.type) {
    case 'UserProvisioned': {
      const { organization, userName, created } = event.data;
      const { entityId: user, meta } = event;
      const next = { ...event.data, user, userNameKey: userName.toLowerCase(), modifiedAt: meta.time };
      return [
        {
          change: provisionedKey(organization, user),
          by: (doc) => ({
            ...next,
            // Whom the provider has not created it has found as a member.
            membership: doc?.membership ?? (created ? 'none' : 'present'),
            createdAt: doc?.createdAt ?? meta.time,
          }),
        },
      ];
    }
    case 'UserDeprovisioned':
      return [{ remove: provisionedKey(event.data.organization, event.entityId) }];
    case 'UserErased':
      return [{ removeWhere: { user: event.data.user } }];
    case 'OrganizationDeleted':
      return [{ removeWhere: { organization: event.entityId } }];
    default:
      return [{ set: provisionedKey(event.entityId, event.data.user), fields: fieldsOf(event) }];
  }
}

function fieldsOf({ type, meta }: Belonging): Partial<ProvisionedUserDocument> {
  const modifiedAt = meta.time;
  if (type === 'MemberJoined') return { membership: 'present', modifiedAt };
  return type === 'MemberRemoved' ? { membership: 'ended', modifiedAt } : { modifiedAt };
}

export const provisionedUsers = projection({
  name: 'provisioned_user',
  version: 2,
  entities: ['identity.user', 'identity.roster', 'identity.erasure', 'identity.organization'],
  events: [named, belonging, erased, deleted],
  indexes: [
    { key: { organization: 1, userNameKey: 1 } },
    { key: { organization: 1, externalId: 1 } },
    { key: { organization: 1, membership: 1 } },
    { key: { user: 1 } },
  ],
  writes,
});
