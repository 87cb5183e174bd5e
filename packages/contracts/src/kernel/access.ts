import * as z from 'zod';
import type { IntegrationScope } from './integration-scopes.js';

/**
 * Who may do what, as data. An operation names relations. The service that owns the resource finds out which of them
 * the caller has, and `decideAccess` compares the two. Nothing here does I/O.
 */

/** The roles, lowest first. A guest is a member whose role is `null`. */
export const memberRoles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const;
export const MemberRole = z.enum(memberRoles).meta({ id: 'MemberRole' });
export type MemberRole = z.output<typeof MemberRole>;

export const teamRoles = ['owner', 'member'] as const;
export const TeamRole = z.enum(teamRoles).meta({ id: 'TeamRole' });
export type TeamRole = z.output<typeof TeamRole>;

/**
 * How a caller is related to a resource. `anyone`: any authenticated caller. `guest` up to `admin`: active member of
 * the organization with at least that role. `organization_admin`: admin of the organization that a space or collection
 * is in, where `admin` is the level on that. `installation`: an installation of an integration that reaches the
 * resource. `integration`: the integration that the resource belongs to.
 */
export type Relation =
  | 'anyone'
  | 'self'
  | 'operator'
  | 'guest'
  | MemberRole
  | 'team_owner'
  | 'team_member'
  | 'organization_admin'
  | 'installation'
  | 'integration';

/** The kinds of token that an operation accepts. */
export type TokenKind = 'personal' | 'session' | 'oauth' | 'integration' | 'installation' | 'content' | 'scim';

/** Tokens that act for a user; operations accept them unless declared otherwise. */
export const userTokens = ['personal', 'oauth'] as const satisfies readonly TokenKind[];

/** The tokens with which published content is read: those of users, and those of visitors. */
export const readerTokens = ['personal', 'oauth', 'content'] as const satisfies readonly TokenKind[];

/** OAuth scopes. Personal tokens can be limited to them as well. */
export const scopes = [
  'user:read',
  'organization:read',
  'organization:write',
  'organization:members:read',
  'organization:members:write',
  'organization:ask',
  'organization:search',
  'space:read',
  'space:write',
  'space:permissions:read',
  'space:permissions:write',
  'change-request:merge',
  'site:read',
  'site:write',
  'site:publish',
  'site:permissions:read',
  'site:permissions:write',
  'site:auth:read',
  'site:auth:write',
  'site:insights:read',
  'site:ask',
  'site:search',
  'integration:read',
  'integration:installations:read',
  'integration:installations:write',
  'integration:publish',
  'integration:delete',
  'openapi:read',
  'openapi:write',
] as const;
export type Scope = (typeof scopes)[number];

/** The access rule of an operation. One relation of a list is enough. */
export interface Access {
  /** Token kinds that may call it; `[]`: no token is needed. */
  tokens: readonly TokenKind[];
  /** The scope that a limited token must have. Without it, limited tokens are refused. */
  scope?: Scope;
  /**
   * The scope that an installation must have been granted. Without it, only what belongs to the installation itself is
   * open to it.
   */
  integrationScope?: IntegrationScope;
  /** The kind of resource whose relations the owning service is asked for. That service declares the kind. */
  resource: string;
  /** Who may know that the resource exists. All others get 404 (DELETE: 204). */
  view: readonly Relation[];
  /** Who may do it. Callers who may only view get 403. */
  allow: readonly Relation[];
  /**
   * What an admin may do without the single sign-on that their organization enforces, so that a provider that does not
   * work locks nobody out: every request of the operation, or those whose body names no other fields than these.
   */
  recovery?: 'all' | readonly string[];
  /** Whether a session that is valid in one organization only may do it although it is about the user; absent: no. */
  withinOrganization?: true;
}

/** What every caller has. */
export interface CommonPrincipal {
  id: string;
  token: {
    id: string;
    kind: TokenKind;
    scopes?: readonly Scope[] | undefined;
    /** Of an installation: what it was granted. Nothing while it is not active. */
    integrationScopes?: readonly IntegrationScope[] | undefined;
    expiresAt?: string | undefined;
  };
  /**
   * Set when the token is valid in one organization only: a session that began at the organization's SAML provider, or
   * a content token.
   */
  organization?: string | undefined;
  operator: boolean;
}

/** What the owning service knows about the caller and the resource. */
export interface ResourceAccess {
  /** Whether the parent of the resource exists and the caller may see it. Otherwise every answer is 404. */
  parentVisible: boolean;
  exists: boolean;
  relations: ReadonlySet<Relation>;
  /** The organization that the resource belongs to, if the path does not name it. */
  organization?: string | undefined;
  /** The caller's role in that organization; `null` for a guest, absent for somebody who is no member. */
  role?: MemberRole | null | undefined;
  /** Set when the organization enforces single sign-on and the caller has no identity at one of its providers. */
  withoutSSO?: boolean;
  /** Set for an installation: the scopes that it was granted. */
  granted?: readonly IntegrationScope[] | undefined;
}

export type Verdict = 'allow' | 'recovery' | 'hidden' | 'absent' | 'sso_required' | 'forbidden';

/**
 * Compares a rule with the caller's access: first `view`, then single sign-on, then `allow`. `fields`: those that the
 * body names.
 * `hidden`: answer 404. `absent`: the resource does not exist for this caller, but its parent does (404; a DELETE
 * answers 204). `recovery`: allowed to an admin although single sign-on is enforced; it is recorded as a recovery.
 */
export function decideAccess(rule: Access, access: ResourceAccess, fields: readonly string[] = []): Verdict {
  if (!access.parentVisible) return 'hidden';
  if (!access.exists || !rule.view.some((r) => access.relations.has(r))) return 'absent';
  const allowed = rule.allow.some((r) => access.relations.has(r)) && isGranted(rule, access);
  if (access.withoutSSO !== true) return allowed ? 'allow' : 'forbidden';
  return allowed && access.relations.has('admin') && recovers(rule, fields) ? 'recovery' : 'sso_required';
}

/** An installation may do what its scopes say, and nothing where a rule does not name it. */
function isGranted({ allow, integrationScope }: Access, { granted }: ResourceAccess): boolean {
  if (granted === undefined) return true;
  return allow.includes('installation') && (integrationScope === undefined || granted.includes(integrationScope));
}

function recovers({ recovery }: Access, fields: readonly string[]): boolean {
  if (recovery === undefined || recovery === 'all') return recovery === 'all';
  return fields.length > 0 && fields.every((name) => recovery.includes(name));
}

/** Every relation that a role includes: the role, all below it, and `guest`. */
export function roleRelations(role: MemberRole | null): Relation[] {
  return role === null ? ['guest'] : ['guest', ...memberRoles.slice(0, memberRoles.indexOf(role) + 1)];
}

/** The rank of a role: 0 for the lowest one, -1 for a guest. */
export function rankOfRole(role: MemberRole | null): number {
  return role === null ? -1 : memberRoles.indexOf(role);
}

/** Whether `role` is `least` or higher. A guest is below all roles. */
export function roleAtLeast(role: MemberRole | null, least: MemberRole): boolean {
  return rankOfRole(role) >= rankOfRole(least);
}

/** The gateway's part of the check: token kind and scope. Returns why the token is refused, or null. */
export function refuseToken(
  rule: Access,
  principal: Pick<CommonPrincipal, 'token'> | null,
): 'unauthenticated' | 'forbidden' | null {
  if (rule.tokens.length === 0) return null;
  if (principal === null) return 'unauthenticated';
  if (!rule.tokens.includes(principal.token.kind)) return 'forbidden';
  if (principal.token.kind === 'integration' || principal.token.kind === 'installation')
    return acceptsIntegration(rule, principal.token.kind, principal.token.integrationScopes) ? null : 'forbidden';
  const limited = principal.token.scopes;
  if (limited === undefined) return null;
  return rule.scope !== undefined && limited.includes(rule.scope) ? null : 'forbidden';
}

/** A rule accepts tokens of integrations and installations only where it lists their relation. */
function acceptsIntegration(
  { allow, integrationScope }: Access,
  kind: 'integration' | 'installation',
  granted: readonly IntegrationScope[] = [],
): boolean {
  if (!allow.includes(kind)) return false;
  return kind === 'integration' || integrationScope === undefined || granted.includes(integrationScope);
}
