import { waitForProjections, type Announcer, type ServiceContext } from '@scriptorium/platform';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { user } from '../../accounts/index.js';
import { userEvents } from '../../events/index.js';
import { members, users } from '../../organization-read-models/index.js';
import { endForeignAccounts } from './proven-address.process.js';

/** Ends what providers of other organizations have begun under an address when somebody proves it. */
export function provenAddressesReactor(context: ServiceContext, announcer: Announcer): Reactor {
  return reactor({
    name: 'foreign_accounts_of_proven_addresses',
    version: 1,
    from: 'now',
    entities: ['identity.user'],
    events: [userEvents.pick('UserRegistered', 'UserEmailVerified')],
    async react(event, store) {
      if (event.type === 'UserRegistered' && !event.data.emailVerified) return;
      const state = await store.load(user, event.entityId);
      if (state.status !== 'active') return;
      const scope = context.scope(store);
      await waitForProjections(scope, event, [users, members]);
      announcer.changed(...(await endForeignAccounts(scope, { owner: event.entityId, email: state.email })));
    },
  });
}
