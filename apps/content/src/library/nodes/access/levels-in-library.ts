import { closed, resolveLevel, type Grantee, type NodeGrants, type NodeTree } from '@scriptorium/access';
import { AppError } from '@scriptorium/contracts';
import { refuseHigher } from './levels.js';
import { deletedAt, upwards, within, type Library } from '../library.js';

/**
 * Somebody whose levels are asked for: where things stand is taken from the library, what they grant from the read
 * model.
 */
interface Viewer {
  nodes: NodeTree;
  member: Grantee;
}

/**
 * Nobody raises their own level by a move, neither on what is moved nor on anything in it, deleted or not. `to`: the
 * collection it is put in, `null` for the top.
 * @throws AppError `forbidden`
 */
export function refuseHigherByMove(
  state: Library,
  viewer: Viewer,
  { id, to }: { id: string; to: string | null },
): void {
  const { member } = viewer;
  if (member.role === 'admin') return;
  const above = chainOf(state, viewer, id).slice(1);
  const target = to === null ? [] : chainOf(state, viewer, to);
  const moved = [id, ...within(state, id).map((inner) => inner.id)];
  const changes = moved.map((inner) => {
    const before = chainOf(state, viewer, inner);
    return { before, after: [...before.slice(0, before.length - above.length), ...target] };
  });
  refuseHigher(member, changes);
}

/** Whoever deletes a collection is an admin of every space in it. @throws AppError `forbidden` */
export function requireAdminOfSpaces(state: Library, viewer: Viewer, collection: string): void {
  if (viewer.member.role === 'admin') return;
  const spaces = within(state, collection).filter(({ id, kind }) => kind === 'space' && deletedAt(state, id) === null);
  if (spaces.some(({ id }) => resolveLevel(viewer.member, chainOf(state, viewer, id)) !== 'admin'))
    throw new AppError('forbidden', [], { message: 'You are not an admin of every space in it' });
}

/** @throws AppError `unavailable` for a node that the read model does not show yet */
function chainOf(state: Library, { nodes }: Viewer, id: string): NodeGrants[] {
  const chain = upwards(state, id);
  const grants = chain.map((node) => {
    const granted = nodes.grantsOf(node.id);
    if (granted !== undefined) return granted;
    throw new AppError('unavailable', [], { message: 'The library has just changed, try again', retryAfter: 1 });
  });
  return chain.at(-1)?.parent === null ? grants : [...grants, closed];
}
