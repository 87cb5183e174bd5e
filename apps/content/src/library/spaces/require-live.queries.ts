import { AppError } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { inLiveSpace } from '../nodes/index.js';
import { spaces, type SpaceDocument } from './space.projection.js';

/**
 * Whether the content of a space is changed directly; that of a locked one by change requests alone.
 * @throws AppError `not_found`, `space_read_only`
 */
export async function isLive(scope: Pick<Scope, 'store'>, id: string): Promise<boolean> {
  return (await writable(scope, id)).editMode === 'live';
}

/**
 * @throws AppError `space_locked` for a space whose content is changed by change requests alone, `space_read_only` for
 *   the result of a translation, `not_found`
 */
export async function requireLive(scope: Pick<Scope, 'store'>, id: string): Promise<void> {
  if (!(await isLive(scope, id)))
    throw new AppError('space_locked', [], {
      message: 'The space is locked: its content changes by merged change requests alone',
    });
}

/** @throws AppError `space_read_only` for a space whose content is made by a translation, `not_found` */
export async function requireWritable(scope: Pick<Scope, 'store'>, id: string): Promise<void> {
  await writable(scope, id);
}

/**
 * The same work, whose events belong to the organization of a space whose content may be changed.
 * @throws AppError `not_found` for one that is deleted, `space_read_only`
 */
export async function inWritableSpace<S extends Scope>(scope: S, id: string): Promise<S> {
  const inside = await inLiveSpace(scope, id);
  await requireWritable(inside, id);
  return inside;
}

async function writable({ store }: Pick<Scope, 'store'>, id: string): Promise<Stored<SpaceDocument>> {
  const space = await store.read(spaces).byId(id);
  if (space === null) throw new AppError('not_found');
  if (space.readOnly == null) return space;
  throw new AppError('space_read_only', [], {
    message: 'The space is the result of a translation: edit the space that it is translated from',
  });
}
