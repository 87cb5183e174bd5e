import { type Principal } from '@scriptorium/contracts';
import {
  createDocumentIndex,
  createVersionedCache,
  noIndexWork,
  type Clock,
  type DocumentIndex,
  type IndexSource,
  type IndexWork as DocumentWork,
  type Store,
  type StoreScope,
} from '@scriptorium/event-sourcing';
import { LRUCache } from 'lru-cache';
import { type Grantee } from './level.js';
import { membershipKey, memberships } from './membership.projection.js';
import { nodeAccess, type NodeAccessDocument } from './node-access.projection.js';
import { createNodeTree, type NodeTree, type VisibleNodes } from './node-tree.js';
import { organizationFacts } from './organization-fact.projection.js';
import { placeOf, type Place } from './place.js';
import { teamSeats } from './team-seat.projection.js';

/** The access read models that are made from events of identity. */
export const identityReadModels = [memberships, teamSeats, organizationFacts] as const;

/** What a request or reaction reads with, so that the read models behind its response are known. */
export type Reads = Pick<StoreScope, 'read'>;

/**
 * The questions that a service can ask about access. The service has to declare the projections that an answer needs.
 */
export interface Access {
  /** The caller's place in an organization, or `null`. Needs `memberships` and `organizationFacts`. */
  placeIn(reads: Reads, organization: string, caller: Pick<Principal, 'id' | 'organization'>): Promise<Place | null>;
  /** The spaces and collections of an organization. Needs `nodeAccess`. */
  nodesOf(reads: Reads, organization: string): Promise<NodeTree>;
  /**
   * A member with everything that grants on these nodes depend on; without nodes, with all their teams. Needs
   * `teamSeats`.
   */
  granteeFor(reads: Reads, place: Place, nodes?: NodeTree): Promise<Grantee>;
}

const mostCachedMembers = 10_000;

/** Answers from the service's own read models and their caches. */
export function createAccess(
  store: Pick<Store, 'collection' | 'version' | 'written'>,
  options: NodeIndexOptions & { clock: Clock },
): Access {
  const index = createNodeIndex(store, options);
  const seats = createVersionedCache<{ teams: readonly string[] }>({ max: mostCachedMembers }, options.clock);
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
      // The index does its own reads. This call records that the response depends on it.
      reads.read(nodeAccess);
      return index.of(organization);
    },
    async granteeFor(reads, { organization, user, membership, role }, nodes) {
      if (role === 'admin' || nodes?.grantsToTeams() === false) return { user, membership, role, teams: [] };
      const model = reads.read(teamSeats);
      const { teams } = await seats.get(`${organization}:${membership}`, version, async () => {
        const found = await model.find({ organization, user }).toArray();
        return { teams: found.filter((seat) => seat.membership === membership).map(({ team }) => team) };
      });
      return { user, membership, role, teams };
    },
  };
}

/** The work of the index, for specs and metrics. */
export interface IndexWork extends DocumentWork {
  /** Nodes that were visited for levels and counts. */
  nodes: number;
}

export interface NodeIndexOptions {
  clock: Clock;
  /** The approximate size of all organizations in bytes. The requested organization is kept in any case. */
  maxBytes?: number;
  /** The number of ids in all sets of visible nodes. */
  maxVisible?: number;
  work?: IndexWork;
}

const defaultMaxBytes = 128 * 1024 * 1024;
const defaultMaxVisible = 2_000_000;

export const noWork = (): IndexWork => ({ ...noIndexWork(), nodes: 0 });

/** Creates an index over `nodeAccess`, which the service has to declare. */
export function createNodeIndex(
  source: IndexSource<NodeAccessDocument>,
  options: NodeIndexOptions,
): DocumentIndex<NodeTree> {
  const { clock, maxBytes = defaultMaxBytes, maxVisible = defaultMaxVisible, work = noWork() } = options;
  const visible = new LRUCache<string, VisibleNodes>({
    maxSize: maxVisible,
    sizeCalculation: ({ spaces, collections }) => Math.min(maxVisible, spaces.length + collections.length + 16),
  });
  let trees = 0;
  return createDocumentIndex(source, {
    projection: nodeAccess,
    groupedBy: 'organization',
    create: () => createNodeTree(`${(trees += 1)}`, visible, (nodes) => (work.nodes += nodes)),
    clock,
    maxBytes,
    work,
  });
}
