import * as z from 'zod';
import { Id, Location, MemberRoleOrGuest, Timestamp } from '../../kernel/common.js';
import { User } from './users.js';

export const Member = z
  .object({
    object: z.literal('member'),
    id: Id.meta({ description: 'The id of the user.' }),
    role: MemberRoleOrGuest,
    user: User,
    disabled: z.boolean(),
    joinedAt: Timestamp,
    lastSeenAt: Timestamp.optional(),
    sso: z.boolean(),
    spaces: z.int().min(0).meta({ description: 'The number of spaces that the member may view.' }),
    teams: z.int().min(0),
    urls: Location,
  })
  .meta({ id: 'Member' });
export type Member = z.output<typeof Member>;
