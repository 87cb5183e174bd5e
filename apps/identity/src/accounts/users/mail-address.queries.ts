import type { Scope } from '@scriptorium/platform';
import { user } from './user.js';

/**
 * The address of a person, read from the log. Null for an erased person, and for a service account, which gets no mail.
 */
export async function mailAddressOf({ store }: Scope, id: string): Promise<string | null> {
  const person = await store.load(user, id);
  return person.status === 'active' && person.kind === 'person' ? person.email : null;
}
