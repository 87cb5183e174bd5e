import { waitForProjections, type ServiceContext } from '@scriptorium/platform';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { inviteEvents, rosterEvents, userEvents } from '../../events/index.js';
import { isDeleted } from '../settings/organizations.queries.js';
import type { MailFiles } from '../../mail/index.js';
import { users } from '../../organization-read-models/index.js';
import { acceptForVerified } from './accept-invitations.process.js';
import { admitWaiting } from './admit-waiting.process.js';
import { acceptPending, forgetInvite } from './admit.process.js';
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
    async react(event, store) {
      const scope = context.scope(store);
      if (event.type === 'UserRegistered' && !event.data.emailVerified) return;
      await waitForProjections(scope, event, read);
      await acceptForVerified(scope, event.entityId);
    },
  });
}

/**
 * Accepts an invitation whose addressee registered while it was being written, and revokes one whose organization was
 * deleted then. Together with the reactor on new users no order of the two events leaves an invitation open: each looks
 * at a read model that has seen its own event.
 */
export function invitationsReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'invitations_of_known_users',
    version: 1,
    entities: ['identity.invite'],
    events: [inviteEvents.pick('MemberInvited')],
    async react(event, store) {
      const scope = context.scope(store);
      if (await isDeleted(scope, event.data.organization)) {
        await store.handle(invite, event.entityId, revoke);
        return;
      }
      await waitForProjections(scope, event, read);
      const owner = await store.read(users).findOne({ email: event.data.email, emailVerified: true });
      if (owner !== null) await acceptPending(scope, event.entityId, owner._id);
    },
  });
}

/**
 * Looks again at invitations that a limit has kept pending: one is settled when its addressee joins in another way, and
 * the others may be when they have left an organization, in which there is room for somebody else then.
 */
export function membersReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'invitations_of_members',
    version: 1,
    entities: ['identity.roster'],
    events: [rosterEvents.pick('MemberJoined', 'MemberRemoved')],
    async react(event, store) {
      const scope = context.scope(store);
      await waitForProjections(scope, event, read);
      if (event.type === 'MemberRemoved') await admitWaiting(scope, event.entityId);
      const here = event.entityId;
      await acceptForVerified(scope, event.data.user, event.type === 'MemberJoined' ? here : { $ne: here });
    },
  });
}

/** Erases the address of an invitation that is over. */
export function acceptedReactor(context: ServiceContext, files: MailFiles): Reactor {
  return reactor({
    name: 'accepted_invitations',
    version: 1,
    entities: ['identity.invite'],
    events: [inviteEvents.pick('InviteAccepted', 'InviteRevoked')],
    react: (event, store) => forgetInvite(context.scope(store), files, event.entityId),
  });
}
