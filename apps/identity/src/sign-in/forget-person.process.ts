import type { ServiceContext } from '@scriptorium/platform';
import { dropPassword } from '../passwords/passwords.operational.js';
import { endSessions } from '../sessions/sessions.operational.js';
import { endLinks } from './links.operational.js';

/** Removes all by which a person could sign in: password, sessions, links under way. Safe to repeat. */
export async function forgetPerson(context: ServiceContext, user: string): Promise<void> {
  await dropPassword(context.store, user);
  await endSessions(context, user);
  await endLinks(context, user);
}
