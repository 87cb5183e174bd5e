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

/** An integration, by a token of its own. */
export interface IntegrationPrincipal extends CommonPrincipal {
  kind: 'integration';
  operator: false;
}

/** An installation of an integration. Its id is that of the installation. */
export interface InstallationPrincipal extends CommonPrincipal {
  kind: 'installation';
  /** The one in which it is installed. */
  organization: string;
  operator: false;
  /** `generation`: tokens of earlier ones are refused. */
  installation: { integration: string; generation: number };
}

/**
 * The identity provider of an organization, by a SCIM token. Its id is that of the token. It creates, changes and
 * removes members and teams of the organization by SCIM, and does nothing else.
 */
export interface ProvisionerPrincipal extends CommonPrincipal {
  kind: 'provisioner';
  organization: string;
  operator: false;
}

/**
 * The caller, as the gateway found it from the token. It contains no roles: each service has them in its read models.
 */
export type Principal =
  UserPrincipal | VisitorPrincipal | IntegrationPrincipal | InstallationPrincipal | ProvisionerPrincipal;
