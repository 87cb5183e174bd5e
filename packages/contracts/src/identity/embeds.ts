import type { Embeds } from '../embed.js';
import { lookupMembers, lookupUsers } from './internal.js';

/** Resources of identity that answers of other services embed. */
export const identityEmbeds = { user: lookupUsers, member: lookupMembers } as const satisfies Embeds;
