import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { projected } from '../projected.js';
import { credentialsEvents } from '../tokens/credentials.events.js';
import { tokens } from '../tokens/token.projection.js';
import type { PrincipalAnnouncer } from './principal.announcer.js';

/**
 * Announces revocations once more when the read model shows them for sure: the answer to the request may have been sent
 * before that, if the projections were slow.
 */
export function principalsReactor(context: ServiceContext, announcer: PrincipalAnnouncer): Reactor {
  return reactor({
    name: 'announced_principals',
    version: 1,
    entities: ['identity.credentials'],
    events: [credentialsEvents.pick('TokenRevoked')],
    async react(event) {
      await projected(context, event, [tokens]);
      announcer.changed(event.entityId);
    },
  });
}
