import * as z from 'zod';

/**
 * Who may do what, as data (decisions 1.2). An operation names relations; the service that owns the
 * resource works out which of them the caller has; `decideAccess` compares the two. Nothing here does I/O.
 */

/** The role ladder, lowest first. A guest is a member whose role is `null`. */
export const memberRoles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const;
export const MemberRole = z.enum(memberRoles).meta({ id: 'MemberRole' });
export type MemberRole = z.output<typeof MemberRole>;

export const teamRoles = ['owner', 'member'] as const;
export const TeamRole = z.enum(teamRoles).meta({ id: 'TeamRole' });
export type TeamRole = z.output<typeof TeamRole>;

/**
 * How a caller stands to a resource. `anyone`: any authenticated caller. `guest` up to `admin`: active member of the
 * organization with at least that role.
 */
export type Relation = 'anyone' | 'self' | 'operator' | 'guest' | MemberRole | 'team_owner' | 'team_member';

/** The kinds of token an operation accepts (decisions 1.2.d). */
export type TokenKind = 'personal' | 'session' | 'oauth' | 'integration' | 'installation' | 'content';

/** OAuth scopes, which a personal token may be limited to as well (decisions 1.2.e). */
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

/** Access rule of one operation. Any one of the relations of a list is enough. */
export interface Access {
  /** Token kinds that may call it; `[]` = no token needed. */
  tokens: readonly TokenKind[];
  /** Scope that a limited token must hold; absent = limited tokens are refused. */
  scope?: Scope;
  /** Kind of resource whose relations are asked of the owning service, which declares it. */
  resource: string;
  /** Who may know that the object exists; all others get 404 (DELETE: 204). */
  view: readonly Relation[];
  /** Who may do it; those who may only view get 403. */
  allow: readonly Relation[];
  /**
   * What an admin may do without the single sign-on that their organization enforces, so that nobody is locked out by a provider
   * that does not work: everything, or what names no other fields of the body than these (decisions 1.5 "`sso:true`").
   */
  recovery?: 'all' | readonly string[];
  /** Whether a session that is good for one organization alone may do it though it is about the user; absent = no. */
  withinOrganization?: true;
}

/** The caller, as the gateway found it from the token. It carries no roles: services hold those themselves. */
export interface Principal {
  kind: 'user';
  id: string;
  token: { id: string; kind: TokenKind; scopes?: readonly Scope[] | undefined; expiresAt?: string | undefined };
  /** Set when the token is good for one organization only (sessions from its SAML provider). */
  organization?: string | undefined;
  operator: boolean;
}

/** What the owning service knows of caller and resource. */
export interface ResourceAccess {
  /** Whether the object that contains the resource exists and may be seen; without it every answer is 404. */
  parentVisible: boolean;
  exists: boolean;
  relations: ReadonlySet<Relation>;
  /** The organization that the resource belongs to, where its path does not name it. */
  organization?: string | undefined;
  /** The caller's role in that organization; `null` for a guest, absent where they are no member. */
  role?: MemberRole | null | undefined;
  /** Set where the organization enforces single sign-on and the caller has no identity at one of its providers. */
  withoutSSO?: boolean;
}

export type Verdict = 'allow' | 'recovery' | 'hidden' | 'absent' | 'sso_required' | 'forbidden';

/**
 * Compares a rule with the caller's access (ruling 10: `view`, then single sign-on, then `allow`). `fields`: those that the body names.
 * `hidden`: answer 404. `absent`: the object is not there for this caller, though its parent is (404; a DELETE answers 204).
 * `recovery`: allowed to an admin though single sign-on is enforced, and to be recorded as that.
 */
export function decideAccess(rule: Access, access: ResourceAccess, fields: readonly string[] = []): Verdict {
  if (!access.parentVisible) return 'hidden';
  if (!access.exists || !rule.view.some((r) => access.relations.has(r))) return 'absent';
  const allowed = rule.allow.some((r) => access.relations.has(r));
  if (access.withoutSSO !== true) return allowed ? 'allow' : 'forbidden';
  return allowed && access.relations.has('admin') && recovers(rule, fields) ? 'recovery' : 'sso_required';
}

function recovers({ recovery }: Access, fields: readonly string[]): boolean {
  if (recovery === undefined || recovery === 'all') return recovery === 'all';
  return fields.length > 0 && fields.every((name) => recovery.includes(name));
}

/** Every relation that a member role implies: the role, all below it, and `guest`. */
export function roleRelations(role: MemberRole | null): Relation[] {
  return role === null ? ['guest'] : ['guest', ...memberRoles.slice(0, memberRoles.indexOf(role) + 1)];
}

/** Where a role stands on the ladder: 0 for the lowest one, -1 for a guest. */
export function rankOfRole(role: MemberRole | null): number {
  return role === null ? -1 : memberRoles.indexOf(role);
}

/** Whether `role` stands at or above `least` on the ladder; a guest stands below all. */
export function roleAtLeast(role: MemberRole | null, least: MemberRole): boolean {
  return rankOfRole(role) >= rankOfRole(least);
}

/**
 * The gateway's part of the check: token kind and scope (ruling 10). Returns why the token is refused, or null.
 */
export function refuseToken(rule: Access, principal: Principal | null): 'unauthenticated' | 'forbidden' | null {
  if (rule.tokens.length === 0) return null;
  if (principal === null) return 'unauthenticated';
  if (!rule.tokens.includes(principal.token.kind)) return 'forbidden';
  const limited = principal.token.scopes;
  if (limited === undefined) return null;
  return rule.scope !== undefined && limited.includes(rule.scope) ? null : 'forbidden';
}
