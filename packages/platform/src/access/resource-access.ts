import type { Operation, Principal, ResourceAccess } from '@scriptorium/contracts';
import type { Scope } from '../scope/scope.js';

/** Works out what a caller may do with the resource that the path parameters name. */
export type ResolveAccess = (
  scope: Scope,
  principal: Principal,
  params: Readonly<Record<string, string>>,
) => Promise<ResourceAccess>;

/** One resolver for each kind of resource that the service's operations name in their access rules. */
export type AccessResolvers = Partial<Record<Operation['access']['resource'], ResolveAccess>>;

/** How the caller of an operation is checked. */
export interface AccessCheck {
  operation: Operation;
  resolve: ResolveAccess;
}
