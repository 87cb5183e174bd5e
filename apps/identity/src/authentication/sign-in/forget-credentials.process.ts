import type { Scope } from '@scriptorium/platform';
import { dropPassword } from '../passwords/passwords.operational.js';
import { endSessions } from '../../accounts/index.js';
import { endLinks } from './links.operational.js';

/** Removes everything that a person can sign in with: password, sessions, unused links. Safe to repeat. */
export async function forgetCredentials(scope: Scope, user: string): Promise<void> {
  await dropPassword(scope, user);
  await endSessions(scope, user);
  await endLinks(scope, user);
}
