import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { readLibrary } from './end-transfer.process.js';
import { nodeIn } from '../library.js';

/**
 * Work on the stream of a space or collection, which refuses it with `not_found` until it says that it belongs to the
 * organization of the work. When the library says so, and the stream has not followed a transfer yet, it follows first.
 */
export async function onceItFollows<T>(
  store: StoreScope,
  id: string,
  work: () => Promise<T>,
  follow: (organization: string) => Promise<unknown>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { organization } = store.context;
    if (!(error instanceof AppError && error.reason === 'not_found') || organization === null) throw error;
    if (nodeIn(await readLibrary(store, organization), id) === undefined) throw error;
    await follow(organization);
    return work();
  }
}
