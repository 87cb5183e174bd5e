import { createTokenForUser } from '@scriptorium/contracts';
import { reactor, type Reactor, type Recorded } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { inviteEvents, type InviteEvent } from '../invites/invite.events.js';
import { credentialsEvents, type CredentialsEvent } from '../tokens/credentials.events.js';
import { markOfInvite, sendMail, type Errand } from './mail.timer.js';

/** Writes to those who are invited, and to people about their credentials. Of what happened before there was mail, nobody hears. */
export function mailReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'mail',
    version: 1,
    entities: ['identity.invite', 'identity.credentials'],
    events: [inviteEvents.pick('MemberInvited'), credentialsEvents.pick('PasswordChanged', 'TokenCreated')],
    from: 'now',
    async react(event, reaction) {
      const errand = errandOf(event);
      if (errand === null) return;
      const id = errand.about === 'invite' ? `${markOfInvite(errand.invite)}-${event.id}` : event.id;
      await reaction.schedule({ id: `mail:${id}`, at: context.now(), command: sendMail, data: { errand, tries: 0 } });
    },
  });
}

type Consumed = Recorded<Extract<InviteEvent, { type: 'MemberInvited' }> | Extract<CredentialsEvent, { type: 'PasswordChanged' | 'TokenCreated' }>>;

function errandOf(event: Consumed): Errand | null {
  switch (event.type) {
    case 'MemberInvited':
      return { about: 'invite', invite: event.entityId };
    case 'PasswordChanged':
      return { about: 'password', user: event.entityId };
    case 'TokenCreated':
      // A token that people make themselves is no news to them.
      return event.meta.operation === createTokenForUser.id ? { about: 'token', user: event.entityId, label: event.data.label } : null;
  }
}
