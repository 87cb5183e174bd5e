import type { Scope } from '@scriptorium/platform';
import { user } from '../../accounts/index.js';
import { users } from '../../read-models/index.js';
import { peopleWithPassword } from '../passwords/passwords.operational.js';
import { forgetCredentials } from './forget-credentials.process.js';
import { sweepLinks } from './links.operational.js';

const batch = 1_000;

/** Removes links that have expired, and what is left of people who were erased. */
export async function sweepSignIn(scope: Scope): Promise<void> {
  await sweepLinks(scope);
  let after = '';
  for (;;) {
    const people = await peopleWithPassword(scope, after, batch);
    for (const person of await missing(scope, people)) await forgetCredentials(scope, person);
    const last = people.at(-1);
    if (last === undefined || people.length < batch) return;
    after = last;
  }
}

/** Those of these people who are in the read model no more, nor in the log, which knows those whom the read model does not show yet. */
async function missing({ store }: Scope, people: readonly string[]): Promise<string[]> {
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
