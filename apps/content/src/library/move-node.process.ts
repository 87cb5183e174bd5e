import { resolveLevel, type NodeGrants, type ServiceAccess } from '@scriptorium/access';
import { AppError, type InputOf, type moveSpace } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { isAbove } from '../levels/index.js';
import { library, livingWithin } from './library.js';
import { move } from './move.js';
import { requireNode, type ViewedNode } from './node-viewer.queries.js';
import { requireCreate } from './require-create.queries.js';

/**
 * Moves a space or collection. Whoever does it may create on it and where it comes to stand, and has no higher level on anything
 * moved than before.
 * @throws AppError `forbidden`, `not_found`, `position_invalid`, `no_change`
 */
export async function moveNode(
  call: Call,
  access: ServiceAccess,
  id: string,
  { parent, position = {} }: InputOf<typeof moveSpace>['body'],
): Promise<void> {
  const node = await requireNode(call, access, call.principal, id);
  const target = await requireCreate(call, access, node.place, parent === undefined ? node.parent : parent);
  const { organization } = node;
  const [before, after] = [siblingOf(position.before), siblingOf(position.after)];
  const decide = (state: Parameters<typeof move>[0]) => move(state, { id, parent, before, after });
  const here = node.kind === 'space' ? call.store.within({ space: id }) : call.store;
  const known = await here.load(library, organization);
  const within = livingWithin(known, id).map((one) => one.id);
  if (parent !== undefined && parent !== node.parent)
    await refuseHigher(call, access, { node, within, target: target?.chain ?? [] });
  await here.handle(library, organization, decide);
}

type Sibling = NonNullable<NonNullable<InputOf<typeof moveSpace>['body']['position']>['before']>;

function siblingOf(sibling: Sibling | undefined): string | undefined {
  if (sibling === undefined) return undefined;
  return sibling.type === 'space' ? sibling.space : sibling.collection;
}

/** @throws AppError `forbidden` when the mover would have a higher level on anything moved */
async function refuseHigher(
  call: Call,
  access: ServiceAccess,
  moved: { node: ViewedNode; within: readonly string[]; target: readonly NodeGrants[] },
): Promise<void> {
  const { node, within, target } = moved;
  const { nodes, member } = await access.viewerAt(call, node.place);
  const above = node.chain.length - 1;
  const chains = [node.chain, ...within.map((id) => nodes.chainOf(id))];
  const rises = chains.some((chain) =>
    isAbove(resolveLevel(member, [...chain.slice(0, chain.length - above), ...target]), resolveLevel(member, chain)),
  );
  if (rises) throw new AppError('forbidden', [], { message: 'It would raise your own level' });
}
