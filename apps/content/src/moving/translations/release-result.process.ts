import type { StoreScope } from '@scriptorium/event-sourcing';
import { release, space, spaces } from '../../library/index.js';

/** What a translation has made is a space like others once the translation is gone. Safe to repeat. */
export async function releaseResult(store: StoreScope, translation: string): Promise<void> {
  const held = await store.read(spaces).find({ 'readOnly.translation': translation }).toArray();
  for (const { _id: id, organization } of held)
    await store
      .in(organization)
      .within({ space: id })
      .handle(space, id, (state) => release(state, translation));
}
