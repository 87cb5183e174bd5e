import { derivedId, type Scope } from '@scriptorium/platform';
import { arrivalOf } from '../nodes/index.js';

/**
 * The id of the transfer that a request with this idempotency key makes. Keys of different callers never give the same.
 */
export function transferOf(idem: string): string {
  return derivedId(idem, 'transfer');
}

/** Whether a transfer has come into an organization. */
export async function hasCome(scope: Scope, { to, transfer }: { to: string; transfer: string }): Promise<boolean> {
  const arrival = await arrivalOf(scope.store, { to, transfer });
  return arrival !== undefined && arrival.status !== 'refused';
}
