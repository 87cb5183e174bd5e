import type { ServiceAccess } from '@scriptorium/access';
import type { Principal } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { branches, type ContentObjects } from '../../../versions/index.js';
import { viewNode } from '../../../library/index.js';
import { viewAs } from './reader-view.queries.js';
import type { ContentView } from './view.queries.js';

/** Who looks at what is outside of a space, and from what. */
export interface Onlooker {
  access: ServiceAccess;
  objects: ContentObjects;
  principal: Principal;
}

/** Whether somebody may view a space or collection of an organization. A preview opens nothing besides itself. */
export async function mayViewNode(
  scope: Scope,
  { access, principal }: Omit<Onlooker, 'objects'>,
  organization: string,
  { id, kind }: { id: string; kind: 'space' | 'collection' },
): Promise<boolean> {
  if (principal.kind === 'visitor' && principal.visitor.preview !== undefined) return false;
  const node = await viewNode(scope, access, principal, id);
  return node?.kind === kind && node.organization === organization && node.deletedAt === null && node.level !== null;
}

/** The main content of a space, for somebody who may view it; `undefined` when there is none. */
export async function mainContentOf(
  scope: Scope,
  { objects, principal }: Omit<Onlooker, 'access'>,
  organization: string,
  space: string,
): Promise<ContentView | undefined> {
  const branch = await scope.store.read(branches).byId(space);
  if (branch?.head == null || branch.space !== space) return undefined;
  return viewAs(scope, objects, { organization, principal }, { space, branch: space });
}
