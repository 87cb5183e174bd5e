import { reactor, type CommandContext, type Reactor } from '@scriptorium/event-sourcing';
import { step, type ServiceContext } from '@scriptorium/platform';
import { projected } from '../projected.js';
import { userEvents } from '../users/user.events.js';
import { users } from '../users/user.projection.js';
import { admit } from './admit.process.js';
import { inviteEvents } from './invite.events.js';
import { invite } from './invite.js';
import { pendingInvites } from './pending-invite.projection.js';

/** Accepts the invitations of an address when its verified owner appears. */
export function newcomersReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'invitations_of_new_users',
    version: 1,
    entities: ['identity.user'],
    events: [userEvents.pick('UserRegistered')],
    async react(event, { context: command }) {
      const { email, emailVerified } = event.data;
      if (!emailVerified) return;
      await projected(context, event);
      const invites = await context.store.collection(pendingInvites).find({ email }).toArray();
      for (const { _id } of invites) await acceptPending(context, _id, event.entityId, command);
    },
  });
}

/**
 * Accepts an invitation whose addressee registered while it was being written. Together with the reactor on new users
 * no order of the two events leaves an invitation open: each looks at a read model that has seen its own event.
 */
export function invitationsReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'invitations_of_known_users',
    version: 1,
    entities: ['identity.invite'],
    events: [inviteEvents.pick('MemberInvited')],
    async react(event, { context: command }) {
      await projected(context, event);
      const owner = await context.store.collection(users).findOne({ email: event.data.email, emailVerified: true });
      if (owner !== null) await acceptPending(context, event.entityId, owner._id, command);
    },
  });
}

async function acceptPending(context: ServiceContext, id: string, user: string, command: CommandContext): Promise<void> {
  const terms = await context.store.load(invite, id);
  if (terms.status !== 'pending') return;
  const { organization, role } = terms;
  await admit(context, organization, [{ user, role, invite: id }], { ...step(command, id), organization });
}
