import { waitForProjections } from '@scriptorium/platform';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { credentialsEvents } from '../events/index.js';
import { users } from '../organization-read-models/index.js';
import { adminAlerts, recordToken } from './admin-alerts.js';

/** Records in the organizations of a person that somebody else created a token for them. */
export const adminAlertsReactor: Reactor = reactor({
  name: 'notices',
  version: 1,
  entities: ['identity.credentials'],
  events: [credentialsEvents.pick('TokenCreated')],
  async react(event, store) {
    const { entityId: user, meta, data } = event;
    if (meta.actor.kind !== 'user' || meta.actor.id === user) return;
    await waitForProjections({ store }, event, [users]);
    const person = await store.read(users).byId(user);
    for (const organization of person?.organizations ?? []) {
      const own = store.as(meta.actor, 'support').in(organization).step(organization);
      await own.handle(adminAlerts, organization, () => recordToken({ user, token: data.token }));
    }
  },
});
