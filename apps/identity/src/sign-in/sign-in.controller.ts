import { sendSignInLink, signIn, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, networkOf, type InternalCall } from '@scriptorium/platform';
import { pendingInvites } from '../invites/pending-invite.projection.js';
import { queueLetter } from '../mail/mail.timer.js';
import { PasswordHashing } from '../passwords/scrypt.hashing.js';
import { countTry, takeBackTry } from './attempts.operational.js';
import { makeLink } from './links.operational.js';
import { findPerson } from './people.queries.js';
import { admitted, checkPassword, openByLink } from './sign-in.process.js';
import { Sweeper } from './sweep.timer.js';

@Controller()
export class SignInController {
  constructor(
    private readonly context: ServiceContext,
    private readonly hashing: PasswordHashing,
    private readonly sweeper: Sweeper,
  ) {}

  @Handles(signIn)
  async signIn({ body }: InputOf<typeof signIn>, call: InternalCall) {
    await this.sweeper.arrange(call.requestId);
    if ('link' in body) {
      await countTry(this.context, { kind: 'address', of: clientOf(call) });
      const person = await openByLink(this.context, body.link, body.displayName, call);
      await takeBackTry(this.context, { kind: 'address', of: clientOf(call) });
      return admitted(this.context, person, 'link', call);
    }
    const person = await checkPassword(this.context, this.hashing, { ...body, client: clientOf(call) });
    return admitted(this.context, person, 'password', call);
  }

  /** For an address that nobody has, everything is done as well, but what is queued is a letter to nobody. */
  @Handles(sendSignInLink)
  async sendLink({ body }: InputOf<typeof sendSignInLink>, call: InternalCall) {
    await this.sweeper.arrange(call.requestId);
    await countTry(this.context, { kind: 'address', of: clientOf(call) });
    await countTry(this.context, { kind: 'link', of: body.email });
    const [person, invited] = await Promise.all([
      findPerson(this.context, body.email),
      this.context.store.collection(pendingInvites).findOne({ email: body.email.toLowerCase() }),
    ]);
    const to = { user: person?._id ?? null, invite: person === null ? (invited?._id ?? null) : null };
    const link = await makeLink(this.context, { ...to, purpose: body.purpose });
    await queueLetter(this.context, link, { about: 'link', link }, call.requestId);
    return {};
  }
}

function clientOf({ client }: InternalCall): string {
  return networkOf(client.address ?? 'unknown');
}
