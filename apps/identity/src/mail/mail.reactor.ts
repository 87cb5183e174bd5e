import { createTokenForUser } from '@scriptorium/contracts';
import { reactor, type Reactor, type Recorded } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { type CredentialsEvent, credentialsEvents, type InviteEvent, inviteEvents } from '../events/index.js';
import { invitationMark, sendMail, type MailJob } from './mail-job.js';

/**
 * Queues mail to invited people, and to people whose credentials change. Events before its first start send no mail.
 */
export function mailReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'mail',
    version: 1,
    entities: ['identity.invite', 'identity.credentials'],
    events: [inviteEvents.pick('MemberInvited'), credentialsEvents.pick('PasswordChanged', 'TokenCreated')],
    from: 'now',
    async react(event, store) {
      const job = jobOf(event);
      if (job === null) return;
      const id = job.about === 'invite' ? `${invitationMark(job.invite)}-${event.id}` : event.id;
      await store.schedule({ id: `mail:${id}`, at: context.now(), command: sendMail, data: { errand: job, tries: 0 } });
    },
  });
}

type Consumed = Recorded<
  | Extract<InviteEvent, { type: 'MemberInvited' }>
  | Extract<CredentialsEvent, { type: 'PasswordChanged' | 'TokenCreated' }>
>;

function jobOf(event: Consumed): MailJob | null {
  switch (event.type) {
    case 'MemberInvited':
      return {
        about: 'invite',
        invite: event.entityId,
        by: event.meta.actor.id,
        organization: event.data.organization,
        again: event.revision > 0n,
      };
    case 'PasswordChanged':
      return { about: 'password', user: event.entityId };
    case 'TokenCreated':
      // People get no mail about tokens that they create themselves.
      return event.meta.operation === createTokenForUser.id
        ? { about: 'token', user: event.entityId, label: event.data.label }
        : null;
  }
}
