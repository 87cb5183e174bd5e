import type { ServiceAccess } from '@scriptorium/access';
import { AppError, lacksLevel, roleAtLeast, type Principal } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { branches, revisions, type ContentObjects } from '../../../versions/index.js';
import { inLiveSpace, requireCreate, requireNode } from '../../nodes/index.js';
import { createInLibrary } from './create-space.process.js';
import { spaces } from '../space.projection.js';
import { titleWith } from '../title-with.js';

/**
 * Makes a copy of a space beside it: settings but the default level, and present content, without history and grants.
 * No content is copied, as both read from the same pool. Resolves to its id and title.
 * @throws AppError `forbidden` for who may not create there, `limit_reached`
 */
export async function duplicate(
  call: Call,
  access: ServiceAccess,
  objects: ContentObjects,
  from: string,
): Promise<{ id: string; title: string }> {
  const node = await requireNode(call, access, call.principal, from);
  const { parent, place } = node;
  await requireCreate(call, access, place, { parent });
  const [source, branch] = await Promise.all([
    call.store.read(spaces).byId(from),
    call.store.read(branches).byId(from),
  ]);
  const revision = branch?.head == null ? null : await call.store.read(revisions).byId(branch.head.revision);
  if (source === null || branch === null || revision === null) throw new AppError('not_found');
  const { tree, counts } = revision;
  const { emoji, icon, language, editMode, mergeRules } = source;
  const id = call.idFor('space');
  const title = titleWith(source.title, ' (copy)');
  await createInLibrary(call, objects, id, {
    title,
    ...(emoji === null ? {} : { emoji }),
    ...(language === null ? {} : { language }),
    editMode,
    more: { icon, mergeRules },
    parent,
    creator: place,
    content: { pool: branch.pool, copy: { tree, counts } },
  });
  return { id, title };
}

/**
 * `duplicate` for another service, which has not judged who may.
 * @throws AppError `not_found` for a space that the caller may not view, `forbidden`, `limit_reached`
 */
export async function copyForCaller(
  call: Call<Principal | null>,
  access: ServiceAccess,
  objects: ContentObjects,
  from: string,
): Promise<{ id: string; title: string }> {
  const { principal } = call;
  if (principal?.kind !== 'user') throw new AppError('not_found');
  const node = await requireNode(call, access, principal, from);
  if (node.kind !== 'space' || node.level === null || node.place.withoutSSO) throw new AppError('not_found');
  if (!roleAtLeast(node.level, 'create')) throw lacksLevel('create', 'space');
  return duplicate({ ...(await inLiveSpace(call, from)), principal }, access, objects, from);
}
