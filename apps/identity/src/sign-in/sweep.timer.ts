import type { TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { peopleWithPassword } from '../passwords/passwords.operational.js';
import { sweepSAML } from '../saml/requests.operational.js';
import { sweepSessions } from '../sessions/sessions.operational.js';
import { user } from '../users/user.js';
import { users } from '../users/user.projection.js';
import { sweepTries } from './attempts.operational.js';
import { forgetPerson } from './forget-person.process.js';
import { sweepLinks } from './links.operational.js';

/** The command of the timer that removes what has ended. */
export const sweep = 'sweep_sign_in';

const everyMs = 3_600_000;
const batch = 1_000;

/** Sees to it that a sweep is scheduled while people sign in: without that nothing grows. */
export class Sweeper {
  #arrangedFor = 0;

  constructor(private readonly context: ServiceContext) {}

  async arrange(correlation: string): Promise<void> {
    const next = Math.ceil((this.context.now() + 1) / everyMs) * everyMs;
    if (this.#arrangedFor === next) return;
    await this.context.store.timers.schedule({ id: sweep, at: next, command: sweep, data: null, organization: null, correlation });
    this.#arrangedFor = next;
  }
}

export function sweepHandler(context: ServiceContext): TimerHandler {
  return async () => {
    await sweepTries(context);
    await sweepLinks(context);
    await sweepSessions(context);
    await sweepSAML(context);
    await sweepPeople(context);
  };
}

/** What is left of people who are no more. Whoever the read model does not show is asked for in the log first. */
async function sweepPeople(context: ServiceContext): Promise<void> {
  let after = '';
  for (;;) {
    const people = await peopleWithPassword(context.store, after, batch);
    const shown = await context.store.collection(users).find({ _id: { $in: people } }, { projection: { _id: 1 } }).toArray();
    const known = new Set(shown.map(({ _id }) => _id));
    for (const person of people.filter((id) => !known.has(id))) {
      if ((await context.store.load(user, person)).status === 'absent') await forgetPerson(context, person);
    }
    const last = people.at(-1);
    if (last === undefined || people.length < batch) return;
    after = last;
  }
}
