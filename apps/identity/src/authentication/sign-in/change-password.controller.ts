import { AppError, blaming, changePassword, invalid, type InputOf } from '@scriptorium/contracts';
import { Announcer, Controller, Handles, type Call } from '@scriptorium/platform';
import { credentials, endSessions, recordPasswordChange, type SessionDocument, user } from '../../accounts/index.js';
import { getSessionDocument } from '../sessions/sessions.queries.js';
import { countAttempt, forgetAttempts } from '../../attempts/index.js';
import { endLinks } from './links.operational.js';
import { findPassword, putPassword } from '../passwords/passwords.operational.js';
import { PasswordHashing } from '../passwords/scrypt.hashing.js';
import { requireStrength } from '../passwords/strength.check.js';

/** How long after signing in by an e-mailed link a new password can be set without the old one. */
const freshMs = 15 * 60_000;

@Controller()
export class PasswordsController {
  constructor(
    private readonly hashing: PasswordHashing,
    private readonly announcer: Announcer,
  ) {}

  /** Changes the password, and ends all other sessions of the person. */
  @Handles(changePassword)
  async change({ body }: InputOf<typeof changePassword>, call: Call) {
    const person = call.principal.id;
    const session = await getSessionDocument(call, call.principal.token.id);
    const state = await call.store.load(user, person);
    if (session.organization !== null || state.status !== 'active') {
      throw new AppError('forbidden', [], {
        message: 'A session that began with single sign-on cannot set a password',
      });
    }
    await this.requireCurrent(call, session, state.email, body.current);
    await requireStrength(call, body.password, [state.email, state.displayName], 'body.password');
    await putPassword(call, person, await this.hashing.hash(body.password));
    await endSessions(call, person, session._id);
    await endLinks(call, person);
    this.announcer.changed(person);
    await call.store.handle(credentials, person, recordPasswordChange);
  }

  private async requireCurrent(
    call: Call,
    session: SessionDocument,
    email: string,
    current: string | undefined,
  ): Promise<void> {
    const stored = await findPassword(call, session.user);
    const isFresh = session.method === 'link' && call.now() - session.createdAt < freshMs;
    if (stored === null || isFresh) return;
    if (current === undefined) throw invalid('body.current', 'Is required to set a new password');
    await countAttempt(call, { kind: 'account', of: email });
    if (!(await this.hashing.verify(current, stored)).matches)
      throw blaming('forbidden', 'body.current', 'This is not the present password');
    await forgetAttempts(call, { kind: 'account', of: email });
  }
}
