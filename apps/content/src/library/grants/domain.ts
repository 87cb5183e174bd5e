import { knownTeams } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';

/** Members and teams of organizations, as far as content names them. */
export const directory = defineDomain({ name: 'directory', projections: [knownTeams] });
