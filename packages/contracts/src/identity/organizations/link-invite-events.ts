import * as z from 'zod';
import { MemberRole } from '../../kernel/access.js';

const RoleOrGuest = MemberRole.nullable();
/** The level that a link gives; `null`: it makes a guest and grants nothing. */
const Level = MemberRole.nullable();
const SpaceOrCollection = z.object({ kind: z.enum(['space', 'collection']), id: z.string() });

/** Stream `identity.links-<organization>`: the links by which people can join. */
export const linkInviteEventSchemas = {
  LinkInviteCreated: z.object({ invite: z.string(), role: RoleOrGuest }),
  LinkInviteRoleChanged: z.object({ invite: z.string(), role: RoleOrGuest }),
  ContentLinkInviteCreated: z.object({ invite: z.string(), level: Level, to: SpaceOrCollection }),
  ContentLinkInviteLevelChanged: z.object({ invite: z.string(), level: Level }),
  /** A member has used a link to a space or collection. Content grants them the level. */
  ContentLinkInviteUsed: z.object({
    invite: z.string(),
    user: z.string(),
    membership: z.string(),
    level: Level,
    to: SpaceOrCollection,
  }),
  LinkInviteDeleted: z.object({ invite: z.string() }),
};
