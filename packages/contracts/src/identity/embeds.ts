import type { Embeds } from '../embed.js';
import { lookupMembers, lookupTeams, lookupUsers } from './internal.js';

/** Resources of identity that answers of other services embed. */
export const identityEmbeds = { user: lookupUsers, member: lookupMembers, team: lookupTeams } as const satisfies Embeds;
