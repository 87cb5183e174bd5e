import type { CommonPrincipal } from './access.js';
import type { Visitor } from './visitor.js';

/** A user, by a token or session of their own. */
export interface UserPrincipal extends CommonPrincipal {
  kind: 'user';
}

/**
 * A visitor of a site, by a content token. Visitors with equal rights have the same id. They are members of nothing.
 */
export interface VisitorPrincipal extends CommonPrincipal {
  kind: 'visitor';
  organization: string;
  operator: false;
  visitor: Visitor;
}

/**
 * The caller, as the gateway found it from the token. It contains no roles: each service has them in its read models.
 */
export type Principal = UserPrincipal | VisitorPrincipal;
