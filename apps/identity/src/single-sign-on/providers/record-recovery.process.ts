import type { Call } from '@scriptorium/platform';
import { recordRecoveryUsed, sso } from './sso.js';

/**
 * Records that an admin changes something without the enforced single sign-on. The operation is in the metadata of the
 * event.
 */
export async function recordRecovery({ store }: Call, organization: string): Promise<void> {
  await store.step('recovery').handle(sso, organization, recordRecoveryUsed);
}
