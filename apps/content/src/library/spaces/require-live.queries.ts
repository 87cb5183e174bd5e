import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { spaces } from './space.projection.js';

/**
 * Whether the content of a space is changed directly; that of a locked one by change requests alone. @throws AppError
 * `not_found`
 */
export async function isLive({ store }: Pick<Scope, 'store'>, id: string): Promise<boolean> {
  const space = await store.read(spaces).byId(id);
  if (space === null) throw new AppError('not_found');
  return space.editMode === 'live';
}

/** @throws AppError `space_locked` for a space whose content is changed by change requests alone, `not_found` */
export async function requireLive(scope: Pick<Scope, 'store'>, id: string): Promise<void> {
  if (!(await isLive(scope, id)))
    throw new AppError('space_locked', [], {
      message: 'The space is locked: its content changes by merged change requests alone',
    });
}
