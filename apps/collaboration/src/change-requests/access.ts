import type { ServiceAccess } from '@scriptorium/access';
import type { Principal, ResourceAccess } from '@scriptorium/contracts';
import type { AccessResolvers, Scope } from '@scriptorium/platform';
import { accessToPart } from '../spaces/index.js';
import { findRequest } from './list/change-requests.queries.js';

interface RequestPath {
  spaceId?: string;
  changeRequestId?: string;
}

/** How access to change requests is resolved: by the level on the space. */
export function changeRequestsAccess(access: ServiceAccess): AccessResolvers {
  const resolve =
    (recoverable: boolean) =>
    async (
      scope: Scope,
      principal: Principal,
      { spaceId: id = '', changeRequestId = '' }: RequestPath,
    ): Promise<ResourceAccess> => {
      const [part, doc] = await Promise.all([
        accessToPart(scope, access, principal, { id, recoverable }),
        findRequest(scope, id, changeRequestId),
      ]);
      return { ...part, exists: doc !== null && isOpened(principal, doc._id) };
    };
  return { change_request: resolve(false), recoverable_change_request: resolve(true) };
}

/** A visitor can read only the change request whose preview they see. */
function isOpened(principal: Principal, id: string): boolean {
  if (principal.kind !== 'visitor') return true;
  const { preview } = principal.visitor;
  return preview !== undefined && 'changeRequest' in preview && preview.changeRequest === id;
}
