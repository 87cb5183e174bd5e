import { defineDomain } from '@scriptorium/platform';
import { knownTeams } from './known-team.projection.js';

/** Members and teams of organizations, as far as content names them. */
export const directory = defineDomain({ name: 'directory', projections: [knownTeams] });
