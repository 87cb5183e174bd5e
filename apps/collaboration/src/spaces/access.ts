import type { ServiceAccess } from '@scriptorium/access';
import type { AccessResolvers } from '@scriptorium/platform';
import { accessToSpace } from './space-viewer.queries.js';

/** How access to what is written about spaces is resolved: by their levels. */
export function spacesAccess(access: ServiceAccess): AccessResolvers {
  return {
    space: (scope, principal, { spaceId: id = '' }) => accessToSpace(scope, access, principal, { id }),
    recoverable_space: (scope, principal, { spaceId: id = '' }) =>
      accessToSpace(scope, access, principal, { id, recoverable: true }),
  };
}
