import type { ServiceAccess } from '@scriptorium/access';
import { AppError } from '@scriptorium/contracts';
import type { InternalCall } from '@scriptorium/platform';

/** Previews are for users who may view the space. @throws AppError `not_found` */
export async function requireViewer(
  call: InternalCall,
  access: ServiceAccess,
  organization: string,
  space: string,
): Promise<void> {
  const { caller } = call;
  const place = caller?.kind === 'user' ? await access.placeIn(call, organization, caller) : null;
  if (place !== null && !place.withoutSSO) {
    const { nodes, member } = await access.viewerAt(call, place);
    if (nodes.levelOn(space, member) !== null) return;
  }
  throw new AppError('not_found');
}
