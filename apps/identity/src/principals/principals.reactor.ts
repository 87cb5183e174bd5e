import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { erasureEvents } from '../erasure/erasure.events.js';
import { projected } from '../projected.js';
import { credentialsEvents } from '../tokens/credentials.events.js';
import { tokens } from '../tokens/token.projection.js';
import { users } from '../users/user.projection.js';
import type { PrincipalAnnouncer } from './principal.announcer.js';

/**
 * Announces revocations and erasures once more when the read models show them for sure: the answer to the request may have been sent
 * before that, if the projections were slow.
 */
export function principalsReactor(context: ServiceContext, announcer: PrincipalAnnouncer): Reactor {
  return reactor({
    name: 'announced_principals',
    version: 1,
    entities: ['identity.credentials', 'identity.erasure'],
    events: [credentialsEvents.pick('TokenRevoked'), erasureEvents.pick('UserErased')],
    async react(event) {
      await projected(context, event, [event.type === 'UserErased' ? users : tokens]);
      announcer.changed(event.entityId);
    },
  });
}
