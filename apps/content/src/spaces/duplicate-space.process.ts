import type { ServiceAccess } from '@scriptorium/access';
import { AppError } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { branches, revisions } from '../branches/index.js';
import { requireCreate, requireNode } from '../library/index.js';
import type { ContentObjects } from '../objects/index.js';
import { createInLibrary } from './create-space.process.js';
import { spaces } from './space.projection.js';

const longestTitle = 50;

/**
 * Makes a copy of a space beside it: settings but the default level, and present content, without history and grants. No content is copied, as both read
 * from the same pool. Resolves to its id.
 * @throws AppError `forbidden` for who may not create there, `limit_reached`
 */
export async function duplicate(
  call: Call,
  access: ServiceAccess,
  objects: ContentObjects,
  from: string,
): Promise<string> {
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
  await createInLibrary(call, objects, id, {
    title: copyTitle(source.title),
    ...(emoji === null ? {} : { emoji }),
    ...(language === null ? {} : { language }),
    editMode,
    more: { icon, mergeRules },
    parent,
    creator: place,
    content: { pool: branch.pool, copy: { tree, counts } },
  });
  return id;
}

/** The title, cut so that it fits with its ending. */
function copyTitle(title: string): string {
  const ending = ' (copy)';
  let short = '';
  for (const character of title) {
    if (short.length + character.length + ending.length > longestTitle) break;
    short += character;
  }
  return `${short.trimEnd()}${ending}`;
}
