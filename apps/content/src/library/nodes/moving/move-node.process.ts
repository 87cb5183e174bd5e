import type { ServiceAccess } from '@scriptorium/access';
import type { InputOf, moveSpace } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { refuseHigherByMove } from '../access/levels-in-library.js';
import { library } from '../library.js';
import { move } from './move.js';
import { requireNode } from '../access/node-viewer.queries.js';
import { requireCreate } from '../access/require-create.queries.js';

/**
 * Moves a space or collection. Whoever does it may create on it and where it comes to stand, and has no higher level on
 * anything moved than before.
 * @throws AppError `forbidden`, `not_found`, `position_invalid`, `no_change`
 */
export async function moveNode(
  call: Call,
  access: ServiceAccess,
  id: string,
  { parent, position = {} }: InputOf<typeof moveSpace>['body'],
): Promise<void> {
  const node = await requireNode(call, access, call.principal, id);
  const { organization, place } = node;
  const isPlaced = parent !== undefined;
  await requireCreate(call, access, place, isPlaced ? { parent, field: 'body.parent' } : { parent: node.parent });
  const viewer = await access.viewerAt(call, place);
  const [before, after] = [siblingOf(position.before), siblingOf(position.after)];
  const here = node.kind === 'space' ? call.store.within({ space: id }) : call.store;
  await here.handle(library, organization, (state) => {
    const events = move(state, { id, parent, before, after });
    if (isPlaced) refuseHigherByMove(state, viewer, { id, to: parent });
    return events;
  });
}

type Sibling = NonNullable<NonNullable<InputOf<typeof moveSpace>['body']['position']>['before']>;

function siblingOf(sibling: Sibling | undefined): string | undefined {
  if (sibling === undefined) return undefined;
  return sibling.type === 'space' ? sibling.space : sibling.collection;
}
