import type { Scope } from '@scriptorium/platform';
import { user } from '../../accounts/index.js';
import { users } from '../../organization-read-models/index.js';
import { peopleWithPassword } from '../passwords/passwords.operational.js';
import { forgetCredentials } from './forget-credentials.process.js';
import { sweepLinks } from './links.operational.js';

const batch = 1_000;

/** Removes expired links, and the credentials of people who no longer exist. */
export async function sweepSignIn(scope: Scope): Promise<void> {
  await sweepLinks(scope);
  let after = '';
  for (;;) {
    const people = await peopleWithPassword(scope, after, batch);
    for (const person of await withoutAccount(scope, people)) await forgetCredentials(scope, person);
    const last = people.at(-1);
    if (last === undefined || people.length < batch) return;
    after = last;
  }
}

/**
 * The people among these who no longer exist. The log is asked too, since it knows people whom the read model does not
 * show yet.
 */
async function withoutAccount({ store }: Scope, people: readonly string[]): Promise<string[]> {
  const shown = await store
    .read(users)
    .find({ _id: { $in: [...people] } }, { projection: { _id: 1 } })
    .toArray();
  const known = new Set(shown.map(({ _id }) => _id));
  const gone: string[] = [];
  for (const person of people.filter((id) => !known.has(id)))
    if ((await store.load(user, person)).status === 'absent') gone.push(person);
  return gone;
}
