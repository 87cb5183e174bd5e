import type { MemberRole } from '@scriptorium/contracts';
import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { rosterEvents, type RosterEvent } from './roster.events.js';

export interface MemberDocument {
  organization: string;
  user: string;
  membership: string;
  role: MemberRole | null;
  disabled: boolean;
  /** An admin lets them sign in through a provider of the organization. */
  sso: boolean;
  /** Providers at which an identity stands for them; they may be gone. */
  providers: string[];
  joinedAt: string;
}

/** Key of a membership: one person in one organization. */
export function memberKey(organization: string, user: string): string {
  return `${organization}:${user}`;
}

type MemberEvent = Exclude<RosterEvent, { type: 'RosterOpened' | 'RosterClosed' }>;

function evolve(doc: MemberDocument | null, event: Recorded<MemberEvent>): MemberDocument | null {
  if (event.type === 'MemberJoined') {
    const { user, membership, role, sso = false } = event.data;
    const organization = event.entityId;
    return { organization, user, membership, role, sso, providers: [], disabled: false, joinedAt: event.meta.time };
  }
  if (doc === null) return null;
  switch (event.type) {
    case 'MemberRoleChanged':
      return { ...doc, role: event.data.role };
    case 'MemberMarkedForSSO':
      return { ...doc, sso: true };
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

function writes(event: Recorded<RosterEvent>): Write<MemberDocument>[] {
  switch (event.type) {
    case 'RosterOpened':
      return [];
    case 'RosterClosed':
      return [{ removeWhere: { organization: event.entityId } }];
    default:
      return [{ change: memberKey(event.entityId, event.data.user), by: (doc) => evolve(doc, event) }];
  }
}

export const members = projection({
  name: 'member',
  version: 3,
  entities: ['identity.roster'],
  events: [rosterEvents],
  indexes: [
    { key: { organization: 1, joinedAt: 1, _id: 1 } },
    { key: { organization: 1, role: 1, joinedAt: 1, _id: 1 } },
    { key: { user: 1, _id: 1 } },
  ],
  writes,
});
