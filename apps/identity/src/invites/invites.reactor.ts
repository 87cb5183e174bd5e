import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { rosterEvents } from '../members/roster.events.js';
import { isDeleted } from '../organizations/delete-organization.process.js';
import { projected } from '../projected.js';
import { userEvents } from '../users/user.events.js';
import { users } from '../users/user.projection.js';
import { admitWaiting } from './admit-waiting.process.js';
import { acceptPending, forgetInvite } from './admit.process.js';
import { inviteEvents } from './invite.events.js';
import { invite, revoke } from './invite.js';
import { pendingInvites } from './pending-invite.projection.js';

/** What an address and those invited by it are looked up in. */
const read = [users, pendingInvites];

/** Accepts the invitations of an address when its verified owner appears. */
export function newcomersReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'invitations_of_new_users',
    version: 1,
    entities: ['identity.user'],
    events: [userEvents.pick('UserRegistered', 'UserEmailVerified')],
    async react(event, { context: command }) {
      if (event.type === 'UserRegistered' && !event.data.emailVerified) return;
      await projected(context, event, read);
      const owner = await context.store.collection(users).findOne({ _id: event.entityId, emailVerified: true });
      if (owner === null) return;
      const invites = await context.store.collection(pendingInvites).find({ email: owner.email }).sort({ invitedAt: 1 }).toArray();
      for (const { _id } of invites) await acceptPending(context, _id, event.entityId, command);
    },
  });
}

/**
 * Accepts an invitation whose addressee registered while it was being written, and revokes one whose organization was deleted then. Together with the reactor on new users
 * no order of the two events leaves an invitation open: each looks at a read model that has seen its own event.
 */
export function invitationsReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'invitations_of_known_users',
    version: 1,
    entities: ['identity.invite'],
    events: [inviteEvents.pick('MemberInvited')],
    async react(event, reaction) {
      if (await isDeleted(context, event.data.organization)) {
        await reaction.handle(invite, event.entityId, revoke);
        return;
      }
      await projected(context, event, read);
      const owner = await context.store.collection(users).findOne({ email: event.data.email, emailVerified: true });
      if (owner !== null) await acceptPending(context, event.entityId, owner._id, reaction.context);
    },
  });
}

/**
 * Looks again at invitations that a limit has kept pending: one is settled when its addressee joins in another way, and the
 * others may be when they have left an organization, in which there is room for somebody else then.
 */
export function membersReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'invitations_of_members',
    version: 1,
    entities: ['identity.roster'],
    events: [rosterEvents.pick('MemberJoined', 'MemberRemoved')],
    async react(event, { context: command }) {
      await projected(context, event, read);
      if (event.type === 'MemberRemoved') await admitWaiting(context, event.entityId, command);
      const { user } = event.data;
      const owner = await context.store.collection(users).findOne({ _id: user, emailVerified: true });
      if (owner === null) return;
      const here = event.entityId;
      const organization = event.type === 'MemberJoined' ? here : { $ne: here };
      const invites = await context.store.collection(pendingInvites).find({ email: owner.email, organization }).sort({ invitedAt: 1 }).toArray();
      for (const { _id } of invites) await acceptPending(context, _id, user, command);
    },
  });
}

/** Erases the address of an invitation that is over. */
export function acceptedReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'accepted_invitations',
    version: 1,
    entities: ['identity.invite'],
    events: [inviteEvents.pick('InviteAccepted', 'InviteRevoked')],
    react: (event, { context: command }) => forgetInvite(context, event.entityId, command),
  });
}
