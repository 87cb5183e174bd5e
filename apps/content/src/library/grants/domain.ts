import { knownTeams } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';

/** Members and teams of organizations, as far as content names them. */
export const grants = defineDomain({ name: 'grants', projections: [knownTeams] });
