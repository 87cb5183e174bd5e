import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { type ContentNodes, teamsOf } from './content-nodes.queries.js';
import { memberKey, members, type MemberDocument } from '../../organization-read-models/index.js';

type Reads = Pick<Scope, 'store'>;

/**
 * Counts the spaces of members and teams, from what content has published. The counts may be behind content, except for
 * what the same client has changed there.
 */
export class SpaceCounts {
  readonly #nodes: ContentNodes;

  constructor(nodes: ContentNodes) {
    this.#nodes = nodes;
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
    const known = await this.#nodes.of(scope, organization);
    const teams = known.grantsToTeams() ? await teamsOf(scope, organization, active) : new Map<string, string[]>();
    const nodes = await this.#nodes.of(scope, organization);
    return new Map(
      active.map(({ _id, user, membership, role }) => [
        _id,
        nodes.countVisible({ user, membership, role, teams: teams.get(membership) ?? [] }),
      ]),
    );
  }

  /** The number of spaces with a grant to each of these teams of an organization. */
  async ofTeams(scope: Reads, organization: string, teams: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const nodes = await this.#nodes.of(scope, organization);
    return new Map(teams.map((team) => [team, nodes.countGrantedTo(team)]));
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
