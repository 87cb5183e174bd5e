import type { Member, User } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { MemberDocument, Urls } from '../../organization-read-models/index.js';

/** What the answer shows of a member besides the membership. */
export interface MemberFacts {
  user: User;
  teams: number;
  spaces: number;
  lastSeenAt?: string | undefined;
  /** Whether they use, or may use, single sign-on of the organization. */
  sso: boolean;
}

export function renderMember(doc: Stored<MemberDocument>, facts: MemberFacts, urls: Urls): Member {
  return {
    object: 'member',
    id: doc.user,
    role: doc.role,
    user: facts.user,
    disabled: doc.disabled,
    joinedAt: doc.joinedAt,
    ...(facts.lastSeenAt === undefined ? {} : { lastSeenAt: facts.lastSeenAt }),
    sso: facts.sso,
    spaces: facts.spaces,
    teams: facts.teams,
    urls: { location: `${urls.api}/orgs/${doc.organization}/members/${doc.user}` },
  };
}
