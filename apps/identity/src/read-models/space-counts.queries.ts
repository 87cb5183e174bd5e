import { createAccess, type Access, type NodeTree } from '@scriptorium/access';
import { systemClock, type Stored } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import { memberKey, members, type MemberDocument } from './member.projection.js';
import { teamMembers } from './team-member.projection.js';

type Reads = Pick<Scope, 'store'>;

/** The approximate size in bytes of the spaces and collections in memory, of all organizations together. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Counts the spaces of members and teams, from what content has published. The counts may be behind content, except for
 * what the same client has changed there.
 */
export class SpaceCounts {
  readonly #context: Pick<ServiceContext, 'store'>;
  #access: Access | undefined;

  constructor(context: Pick<ServiceContext, 'store'>) {
    this.#context = context;
  }

  /**
   * The number of spaces that each member of an organization may view, by `memberKey`. It is always the present number,
   * also in answers that show a member as of an earlier moment.
   */
  async ofMembers(
    scope: Reads,
    organization: string,
    shown: readonly Stored<MemberDocument>[],
  ): Promise<ReadonlyMap<string, number>> {
    const active = (await presentOf(scope, organization, shown)).filter(({ disabled }) => !disabled);
    const known = await this.#nodesOf(scope, organization);
    const teams = known.grantsToTeams() ? await teamsOf(scope, organization, active) : new Map<string, string[]>();
    const nodes = await this.#nodesOf(scope, organization);
    return new Map(
      active.map(({ _id, user, membership, role }) => [
        _id,
        nodes.countVisible({ user, membership, role, teams: teams.get(membership) ?? [] }),
      ]),
    );
  }

  /** The number of spaces with a grant to each of these teams of an organization. */
  async ofTeams(scope: Reads, organization: string, teams: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const nodes = await this.#nodesOf(scope, organization);
    return new Map(teams.map((team) => [team, nodes.countGrantedTo(team)]));
  }

  #nodesOf({ store }: Reads, organization: string): Promise<NodeTree> {
    // Created at its first use, since the store exists only after the start of the service.
    this.#access ??= createAccess(this.#context.store, { clock: systemClock, maxBytes });
    return this.#access.nodesOf(store, organization);
  }
}

/** These members as they are now, or would be after a dry run. */
async function presentOf(
  { store }: Reads,
  organization: string,
  shown: readonly Stored<MemberDocument>[],
): Promise<readonly Stored<MemberDocument>[]> {
  if (store.present || store.dry) return shown;
  // Reads by id would be of the earlier moment.
  const keys = shown.map(({ user }) => memberKey(organization, user));
  return store
    .read(members)
    .find({ _id: { $in: keys } })
    .toArray();
}

/** The teams of members, by membership. Admins may view everything, so theirs are not read. */
async function teamsOf(
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
