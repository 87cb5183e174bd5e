import { sendSignInLink, signIn, type InputOf, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, networkOf, type Call } from '@scriptorium/platform';
import { pendingInvites } from '../../organizations/index.js';
import { queueMail } from '../../mail/index.js';
import { PasswordHashing } from '../passwords/scrypt.hashing.js';
import { countAttempt, Sweeper, uncountAttempt } from '../../attempts/index.js';
import { makeLink } from './links.operational.js';
import { findPerson } from './people.queries.js';
import { answerWithSession, checkPassword, signInByLink } from './sign-in.process.js';

@Controller()
export class SignInController {
  constructor(
    private readonly hashing: PasswordHashing,
    private readonly sweeper: Sweeper,
  ) {}

  @Handles(signIn)
  async signIn({ body }: InputOf<typeof signIn>, call: Call<Principal | null>) {
    await this.sweeper.schedule(call.store.context.correlation);
    if ('link' in body) {
      await countAttempt(call, { kind: 'address', of: clientOf(call) });
      const person = await signInByLink(call, body.link, body.displayName);
      await uncountAttempt(call, { kind: 'address', of: clientOf(call) });
      return answerWithSession(call, person, 'link');
    }
    const person = await checkPassword(call, this.hashing, { ...body, client: clientOf(call) });
    return answerWithSession(call, person, 'password');
  }

  /**
   * The same is done for an unknown address, so that the answer does not reveal whether it is known. That mail has no
   * recipient.
   */
  @Handles(sendSignInLink)
  async sendLink({ body }: InputOf<typeof sendSignInLink>, call: Call<Principal | null>) {
    await this.sweeper.schedule(call.store.context.correlation);
    await countAttempt(call, { kind: 'address', of: clientOf(call) });
    await countAttempt(call, { kind: 'link', of: body.email });
    const [person, invited] = await Promise.all([
      findPerson(call, body.email),
      call.store.read(pendingInvites).findOne({ email: body.email.toLowerCase() }),
    ]);
    const to = { user: person?._id ?? null, invite: person === null ? (invited?._id ?? null) : null };
    const link = await makeLink(call, { ...to, purpose: body.purpose });
    await queueMail(call, link, { about: 'link', link });
    return {};
  }
}

function clientOf({ client }: Call<Principal | null>): string {
  return networkOf(client.address ?? 'unknown');
}
