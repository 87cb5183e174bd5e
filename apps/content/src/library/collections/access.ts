import type { ServiceAccess } from '@scriptorium/access';
import type { AccessResolvers } from '@scriptorium/platform';
import { accessToNode, accessToPart } from '../nodes/index.js';

/** How access to collections and their grants is resolved. */
export function collectionsAccess(access: ServiceAccess): AccessResolvers {
  const kind = 'collection';
  return {
    collection: (scope, principal, { collectionId: id = '' }) => accessToNode(scope, access, principal, { id, kind }),
    collection_grant: (scope, principal, { collectionId: id = '' }) =>
      accessToPart(scope, access, principal, { id, kind }),
  };
}
