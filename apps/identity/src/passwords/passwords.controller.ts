import { AppError, blaming, changePassword, invalid, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, type Call } from '@scriptorium/platform';
import { PrincipalAnnouncer } from '../principals/principal.announcer.js';
import { endSessions, type SessionDocument } from '../sessions/sessions.operational.js';
import { getSessionDocument } from '../sessions/sessions.queries.js';
import { countTry, forgetTries } from '../sign-in/attempts.operational.js';
import { endLinks } from '../sign-in/links.operational.js';
import { credentials, notePasswordChange } from '../tokens/credentials.js';
import { user } from '../users/user.js';
import { findPassword, putPassword } from './passwords.operational.js';
import { PasswordHashing } from './scrypt.hashing.js';
import { PasswordStrength } from './strength.check.js';

/** So long after an e-mailed link it stands for the old password. */
const freshMs = 15 * 60_000;

@Controller()
export class PasswordsController {
  constructor(
    private readonly context: ServiceContext,
    private readonly hashing: PasswordHashing,
    private readonly strength: PasswordStrength,
    private readonly announcer: PrincipalAnnouncer,
  ) {}

  /** Whoever else is signed in as this person has to do so anew. */
  @Handles(changePassword)
  async change({ body }: InputOf<typeof changePassword>, call: Call) {
    const person = call.principal.id;
    const session = await getSessionDocument(this.context, call.principal.token.id);
    const state = await this.context.store.load(user, person);
    if (session.organization !== null || state.status !== 'active') {
      throw new AppError('forbidden', [], { message: 'An organization vouches for this session: it cannot set a password' });
    }
    await this.requireCurrent(session, state.email, body.current);
    await this.strength.require(body.password, [state.email, state.displayName], 'body.password');
    await putPassword(this.context.store, person, await this.hashing.hash(body.password));
    await endSessions(this.context, person, session._id);
    await endLinks(this.context, person);
    this.announcer.changed(person);
    await this.context.store.handle(credentials, person, this.context.command(call, null), notePasswordChange);
  }

  private async requireCurrent(session: SessionDocument, email: string, current: string | undefined): Promise<void> {
    const stored = await findPassword(this.context.store, session.user);
    const isFresh = session.method === 'link' && this.context.now() - session.createdAt < freshMs;
    if (stored === null || isFresh) return;
    if (current === undefined) throw invalid('body.current', 'Is needed to set another one');
    await countTry(this.context, { kind: 'account', of: email });
    if (!(await this.hashing.verify(current, stored)).matches) throw blaming('forbidden', 'body.current', 'That is not the present password');
    await forgetTries(this.context, { kind: 'account', of: email });
  }
}
