import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { credentialsEvents } from '../tokens/credentials.events.js';
import { users } from '../users/user.projection.js';
import { projected } from '../projected.js';
import { noteToken, notices } from './notices.js';

/** Tells the organizations of a person that somebody else made a token for them (decisions 3.1). */
export function noticesReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'notices',
    version: 1,
    entities: ['identity.credentials'],
    events: [credentialsEvents.pick('TokenCreated')],
    async react(event, reaction) {
      const { entityId: user, meta, data } = event;
      if (meta.actor.kind !== 'user' || meta.actor.id === user) return;
      await projected(context, event, [users]);
      const person = await context.store.collection(users).byId(user);
      for (const organization of person?.organizations ?? []) {
        const command = { ...reaction.context, actor: meta.actor, source: 'support', organization, idem: `${reaction.idem}:${organization}` };
        await context.store.handle(notices, organization, command, () => noteToken({ user, token: data.token }), { wait: false });
      }
    },
  });
}
