import type { AccessResolvers } from '@scriptorium/platform';
import { resolveTeam } from './team.access.js';

/** Resolves the access of callers to teams. */
export const teamsAccess: AccessResolvers = { team: resolveTeam };
