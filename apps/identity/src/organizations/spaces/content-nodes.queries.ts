import { createAccess, nodeAccess, type Access, type Level, type NodeKind, type NodeTree } from '@scriptorium/access';
import { systemClock } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import { memberKey, members, type MemberDocument, teamMembers } from '../../organization-read-models/index.js';

type Reads = Pick<Scope, 'store'>;

/** The approximate size in bytes of the spaces and collections in memory, of all organizations together. */
const maxBytes = 64 * 1024 * 1024;

/** A space or collection. */
export interface ContentNode {
  kind: NodeKind;
  id: string;
}

/**
 * The spaces and collections of organizations, from what content has published. They may be behind content, except for
 * what the same client has changed there.
 */
export class ContentNodes {
  readonly #context: Pick<ServiceContext, 'store'>;
  #access: Access | undefined;

  constructor(context: Pick<ServiceContext, 'store'>) {
    this.#context = context;
  }

  /** Use them before the next `await`: they go on changing. */
  of({ store }: Reads, organization: string): Promise<NodeTree> {
    // Created at its first use, since the store exists only after the start of the service.
    this.#access ??= createAccess(this.#context.store, { clock: systemClock, maxBytes });
    return this.#access.nodesOf(store, organization);
  }

  /**
   * The level of a member of an organization on each of these. Those that are not there, or are deleted, are left out.
   */
  async levelsOn(
    scope: Reads,
    organization: string,
    user: string,
    wanted: readonly ContentNode[],
  ): Promise<ReadonlyMap<string, Level>> {
    const [present, member] = await Promise.all([
      this.#present(scope, organization, wanted),
      scope.store.read(members).byId(memberKey(organization, user)),
    ]);
    if (member === null || member.disabled) return new Map();
    const known = await this.of(scope, organization);
    const teams = known.grantsToTeams() ? await teamsOf(scope, organization, [member]) : new Map<string, string[]>();
    const grantee = { ...member, teams: teams.get(member.membership) ?? [] };
    const nodes = await this.of(scope, organization);
    return new Map(present.filter((id) => nodes.deletedAt(id) === null).map((id) => [id, nodes.levelOn(id, grantee)]));
  }

  /** Whether an organization has a space or collection that is not deleted. */
  async isThere(scope: Reads, organization: string, node: ContentNode): Promise<boolean> {
    const [id] = await this.#present(scope, organization, [node]);
    return id !== undefined && (await this.of(scope, organization)).deletedAt(id) === null;
  }

  /** The ids of those that an organization has, deleted ones included. */
  async #present({ store }: Reads, organization: string, wanted: readonly ContentNode[]): Promise<string[]> {
    const docs = await store.read(nodeAccess).byIds(wanted.map(({ id }) => id));
    return docs
      .filter((doc) => doc.added && doc.organization === organization)
      .filter((doc) => wanted.some(({ kind, id }) => id === doc._id && kind === doc.kind))
      .map(({ _id }) => _id);
  }
}

/** The teams of members, by membership. Admins may view everything, so theirs are not read. */
export async function teamsOf(
  { store }: Reads,
  organization: string,
  docs: readonly MemberDocument[],
): Promise<Map<string, string[]>> {
  const users = docs.filter(({ role }) => role !== 'admin').map(({ user }) => user);
  const teams = new Map<string, string[]>();
  if (users.length === 0) return teams;
  const found = store
    .read(teamMembers)
    .find({ organization, user: { $in: users } })
    .project<{ team: string; membership: string }>({ team: 1, membership: 1 });
  for await (const { team, membership } of found) teams.set(membership, [...(teams.get(membership) ?? []), team]);
  return teams;
}
