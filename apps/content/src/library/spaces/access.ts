import type { ServiceAccess } from '@scriptorium/access';
import type { AccessResolvers } from '@scriptorium/platform';
import { accessToNode, accessToPart } from '../nodes/index.js';
import { memberResourceAccess } from './member.access.js';

/** How access to spaces, their grants, and the spaces of members is resolved. */
export function spacesAccess(access: ServiceAccess): AccessResolvers {
  const kind = 'space';
  return {
    member: (scope, principal, params) => memberResourceAccess(scope, access, principal, params),
    space: (scope, principal, { spaceId: id = '' }) => accessToNode(scope, access, principal, { id, kind }),
    recoverable_space: (scope, principal, { spaceId: id = '' }) =>
      accessToNode(scope, access, principal, { id, kind, recoverable: true }),
    space_grant: (scope, principal, { spaceId: id = '' }) => accessToPart(scope, access, principal, { id, kind }),
  };
}
