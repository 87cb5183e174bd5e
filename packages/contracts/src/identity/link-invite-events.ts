import * as z from 'zod';
import { MemberRole } from '../access.js';

const RoleOrGuest = MemberRole.nullable();

/** Stream `identity.links-<organization>`: the links by which people can join. */
export const linkInviteEventSchemas = {
  LinkInviteCreated: z.object({ invite: z.string(), role: RoleOrGuest }),
  LinkInviteRoleChanged: z.object({ invite: z.string(), role: RoleOrGuest }),
  LinkInviteDeleted: z.object({ invite: z.string() }),
};
