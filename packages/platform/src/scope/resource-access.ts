import type { Operation, Principal, ResourceAccess } from '@scriptorium/contracts';
import type { Scope } from './scope.js';

/** Resolves the access of a caller to the resource that the path parameters name. */
export type ResolveAccess = (
  scope: Scope,
  principal: Principal,
  params: Readonly<Record<string, string>>,
) => Promise<ResourceAccess>;

/** One resolver for each kind of resource that the service's operations name in their access rules. */
export type AccessResolvers = Partial<Record<Operation['access']['resource'], ResolveAccess>>;

/** The check of the caller of an operation. */
export interface AccessCheck {
  operation: Operation;
  resolve: ResolveAccess;
}
