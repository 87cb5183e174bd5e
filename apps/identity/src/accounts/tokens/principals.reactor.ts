import { waitForProjections, type Announcer } from '@scriptorium/platform';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { credentialsEvents, erasureEvents } from '../../events/index.js';
import { tokens } from './token.projection.js';
import { users } from '../../organization-read-models/index.js';

/**
 * Announces revocations and erasures again when the read models show them. If the projections were slow, the request
 * was answered before that.
 */
export function principalsReactor(announcer: Announcer): Reactor {
  return reactor({
    name: 'announced_principals',
    version: 1,
    entities: ['identity.credentials', 'identity.erasure'],
    events: [credentialsEvents.pick('TokenRevoked'), erasureEvents.pick('UserErased')],
    async react(event, store) {
      await waitForProjections({ store }, event, [event.type === 'UserErased' ? users : tokens]);
      announcer.changed(event.entityId);
    },
  });
}
