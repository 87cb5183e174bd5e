import type { Call } from '@scriptorium/platform';
import { noteRecovery, sso } from './sso.js';

/** Records that an admin changes something, named by the operation, without the single sign-on that is enforced. */
export async function recordRecovery({ store }: Call, organization: string): Promise<void> {
  await store.step('recovery').handle(sso, organization, noteRecovery);
}
