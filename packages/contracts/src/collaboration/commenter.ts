import * as z from 'zod';
import { Id } from '../kernel/common.js';
import { embed } from '../kernel/embed.js';
import { Member } from '../identity/people/member.js';
import { User } from '../identity/people/users.js';

const MemberByName = z
  .object({
    object: z.literal('member'),
    id: Id.meta({ description: 'The id of the user.' }),
    user: embed('user', User),
  })
  .meta({ id: 'MemberByName', description: 'What guests, who see no members, are told of one who has commented.' });
export type MemberByName = z.input<typeof MemberByName>;

export const Commenter = z.union([embed('member', Member), MemberByName]);
