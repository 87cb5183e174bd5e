import type { AccessResolvers } from '@scriptorium/platform';
import { resolveTeam } from './team.access.js';

/** How access to teams is resolved. */
export const teamsAccess: AccessResolvers = { team: resolveTeam };
