import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { spaces } from './space.projection.js';

/** The content of a locked space is changed by change requests alone. @throws AppError `space_locked`, `not_found` */
export async function requireLive({ store }: Pick<Scope, 'store'>, id: string): Promise<void> {
  const space = await store.read(spaces).byId(id);
  if (space === null) throw new AppError('not_found');
  if (space.editMode === 'locked') throw new AppError('space_locked');
}
