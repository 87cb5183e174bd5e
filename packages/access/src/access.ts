import { type Principal } from '@scriptorium/contracts';
import { createVersionedCache, type Clock, type Store, type StoreScope } from '@scriptorium/event-sourcing';
import { type Grantee } from './level.js';
import { membershipKey, memberships } from './membership.projection.js';
import { nodeAccess } from './node-access.projection.js';
import { createNodeIndex, type NodeIndexOptions } from './node-index.js';
import { type NodeTree } from './node-tree.js';
import { organizationFacts } from './organization-fact.projection.js';
import { placeOf, type Place } from './place.js';
import { teamSeats } from './team-seat.projection.js';

/** The read models of access that are made of identity's events. */
export const identityReadModels = [memberships, teamSeats, organizationFacts] as const;

/** What one piece of work reads through, so that it is known what its response was made from. */
export type Reads = Pick<StoreScope, 'read'>;

/** What a service asks about access. It has to project what it asks for. */
export interface Access {
  /** The caller's place in an organization; `null` where there is none. Needs `memberships` and `organizationFacts`. */
  placeIn(reads: Reads, organization: string, caller: Pick<Principal, 'id' | 'organization'>): Promise<Place | null>;
  /** The spaces and collections of an organization. Needs `nodeAccess`. */
  nodesOf(reads: Reads, organization: string): Promise<NodeTree>;
  /** A member as one who has been granted something on these nodes. Needs `teamSeats`. */
  granteeFor(reads: Reads, place: Place, nodes: NodeTree): Promise<Grantee>;
}

const rememberedMembers = 10_000;

/** Answers from the service's own read models, and from what it remembers of them. */
export function createAccess(
  store: Pick<Store, 'collection' | 'version' | 'written'>,
  options: NodeIndexOptions & { clock: Clock },
): Access {
  const index = createNodeIndex(store, options);
  const seats = createVersionedCache<{ teams: readonly string[] }>({ max: rememberedMembers }, options.clock);
  const version = () => store.version([teamSeats]);
  return {
    async placeIn(reads, organization, caller) {
      const [facts, member] = await Promise.all([
        reads.read(organizationFacts).byId(organization),
        reads.read(memberships).byId(membershipKey(organization, caller.id)),
      ]);
      return placeOf(caller, facts, member);
    },
    nodesOf(reads, organization) {
      // The index reads for itself. This says that the response depends on it.
      reads.read(nodeAccess);
      return index.of(organization);
    },
    async granteeFor(reads, { organization, user, membership, role }, nodes) {
      if (role === 'admin' || !nodes.grantsToTeams()) return { user, membership, role, teams: [] };
      const model = reads.read(teamSeats);
      const { teams } = await seats.get(`${organization}:${membership}`, version, async () => {
        const found = await model.find({ organization, user }).toArray();
        return { teams: found.filter((seat) => seat.membership === membership).map(({ team }) => team) };
      });
      return { user, membership, role, teams };
    },
  };
}
