import { rankOfRole, roleAtLeast, type MemberRole } from '@scriptorium/contracts';

/** A level on a space or collection; `null`: no access. */
export type Level = MemberRole | null;

/** The level of members without a grant: a level, or that of the parent. */
export type DefaultLevel = Level | 'inherit';

/** A space or collection as far as access to it is concerned. */
export interface NodeGrants {
  defaultLevel: DefaultLevel;
  users: ReadonlyMap<string, UserGrant>;
  /** Levels by team. */
  teams: ReadonlyMap<string, Level>;
}

export interface UserGrant {
  /** The stay of the person in the organization for which the grant was given. */
  membership: string;
  level: Level;
}

/** Somebody whose level is asked for: a member with the teams they are in. */
export interface Grantee {
  user: string;
  membership: string;
  /** `null` for a guest. */
  role: MemberRole | null;
  teams: readonly string[];
}

/**
 * The level of a member on a space or collection. `chain`: the node, its parent and so on up to the top. The first of
 * these that gives a value decides, and `null` is a value: no access.
 *
 * 1. Admins of the organization are `admin`.
 * 2. The member's own grant on the node, then the highest grant of their teams there.
 * 3. The same on each parent, the nearest first.
 * 4. The default level of the node, then of each parent, the nearest first. Not for guests.
 * 5. The role in the organization. Not for guests.
 *
 * Pure. Whoever is no member, or a disabled one, has no place to ask for.
 */
export function resolveLevel(member: Grantee, chain: Iterable<NodeGrants>): Level {
  if (member.role === 'admin') return 'admin';
  let byDefault: DefaultLevel = 'inherit';
  for (const node of chain) {
    const granted = grantedOn(member, node);
    if (granted !== undefined) return granted;
    if (byDefault === 'inherit') byDefault = node.defaultLevel;
  }
  return withoutGrant(member, byDefault);
}

/** The level that a node itself grants to a member; `undefined` when it grants none. */
export function grantedOn(member: Grantee, node: NodeGrants): Level | undefined {
  const own = grantedToUser(member, node);
  return own === undefined ? grantedToTeams(member.teams, node) : own;
}

/** The level that a node itself grants to a user; `undefined` when it grants none for this membership. */
export function grantedToUser(
  { user, membership }: Pick<Grantee, 'user' | 'membership'>,
  node: NodeGrants,
): Level | undefined {
  const own = node.users.get(user);
  return own?.membership === membership ? own.level : undefined;
}

/** The highest level that a node itself grants to these teams; `undefined` when it grants none. */
export function grantedToTeams(teams: readonly string[], node: NodeGrants): Level | undefined {
  if (node.teams.size === 0) return undefined;
  return teams.reduce<Level | undefined>((highest, team) => higher(highest, node.teams.get(team)), undefined);
}

/** The level of a member whom nobody has granted one. `byDefault`: the nearest default level that is not `inherit`. */
export function withoutGrant({ role }: Pick<Grantee, 'role'>, byDefault: DefaultLevel): Level {
  if (role === null) return null;
  return byDefault === 'inherit' ? role : byDefault;
}

/** The higher one; anything is higher than `undefined`, and every role than `null`. */
function higher(a: Level | undefined, b: Level | undefined): Level | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return rankOfRole(b) > rankOfRole(a) ? b : a;
}

/** The permissions of a member on a space, by level, in the form of answers. Nobody changes one that is read-only. */
export function spacePermissions(level: Level, { isReadOnly }: { isReadOnly: boolean }) {
  const create = roleAtLeast(level, 'create');
  const read = roleAtLeast(level, 'read');
  const review = roleAtLeast(level, 'review');
  return {
    view: read,
    access: read,
    admin: level === 'admin',
    viewInviteLinks: create,
    edit: !isReadOnly && roleAtLeast(level, 'edit'),
    triggerGitSync: !isReadOnly && create,
    comment: roleAtLeast(level, 'comment'),
    merge: !isReadOnly && review,
    review,
    installIntegration: create,
  };
}

/** The permissions of a member on a collection, by level, in the form of answers. */
export function collectionPermissions(level: Level) {
  const create = roleAtLeast(level, 'create');
  return { view: roleAtLeast(level, 'read'), admin: create, create, viewInviteLinks: create };
}
