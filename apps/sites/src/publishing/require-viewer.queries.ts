import type { ServiceAccess } from '@scriptorium/access';
import { AppError, type Principal } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';

/** Previews are for users who may view the space. @throws AppError `not_found` */
export async function requireViewer(
  call: Call<Principal | null>,
  access: ServiceAccess,
  organization: string,
  space: string,
): Promise<void> {
  const { principal } = call;
  const place = principal?.kind === 'user' ? await access.placeIn(call, organization, principal) : null;
  if (place !== null && !place.withoutSSO) {
    const { nodes, member } = await access.viewerAt(call, place);
    if (nodes.levelOn(space, member) !== null) return;
  }
  throw new AppError('not_found');
}
