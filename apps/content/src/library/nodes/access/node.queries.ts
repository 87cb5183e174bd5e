import {
  closed,
  longestChain,
  nodeAccess,
  type NodeAccessDocument,
  type NodeGrants,
  type NodeKind,
} from '@scriptorium/access';
import { AppError } from '@scriptorium/contracts';
import { withStore, type Scope } from '@scriptorium/platform';

/** A space or collection that the library has, with what it and everything above it grants. */
export interface FoundNode {
  id: string;
  kind: NodeKind;
  organization: string;
  parent: string | null;
  /** When it was deleted, itself or with a collection that contains it; `null` when it was not. */
  deletedAt: string | null;
  /** What decides about levels on it: the node, its parent and so on up to the top. */
  chain: readonly NodeGrants[];
}

/** A node as this work sees it, dry runs included; `null` for what the library does not have, or not any more. */
export async function findNode({ store }: Pick<Scope, 'store'>, id: string): Promise<FoundNode | null> {
  const model = store.read(nodeAccess);
  const found: NodeAccessDocument[] = [];
  let next: string | null = id;
  while (next !== null && found.length < longestChain) {
    const doc: NodeAccessDocument | null = await model.byId(next);
    if (doc?.added !== true) break;
    found.push(doc);
    next = doc.parent;
  }
  const [node] = found;
  if (node === undefined) return null;
  const { kind, organization, parent } = node;
  const grants = found.map(grantsOf);
  return {
    id,
    kind,
    organization,
    parent,
    deletedAt: found.find(({ deletedAt }) => deletedAt !== null)?.deletedAt ?? null,
    chain: next === null ? grants : [...grants, closed],
  };
}

function grantsOf({ defaultLevel, users, teams }: NodeAccessDocument): NodeGrants {
  return {
    defaultLevel,
    users: new Map(users.map(({ user, membership, level }) => [user, { membership, level }])),
    teams: new Map(teams.map(({ team, level }) => [team, level])),
  };
}

/**
 * The same work, whose events belong to the organization of a space that is not deleted. @throws AppError `not_found`
 */
export async function inLiveSpace<S extends Scope>(scope: S, space: string): Promise<S> {
  const node = await requireSpaceNode(scope, space);
  return withStore(scope, scope.store.in(node.organization));
}

/** A space that is not deleted. @throws AppError `not_found` */
export async function requireSpaceNode(scope: Pick<Scope, 'store'>, space: string): Promise<FoundNode> {
  const node = await findNode(scope, space);
  if (node?.kind !== 'space' || node.deletedAt !== null) throw new AppError('not_found');
  return node;
}
