import {
  AppError,
  authenticateSession,
  deleteUserSession,
  getSession,
  listUserSessions,
  signOut,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Announcer, Controller, Handles, WithSession, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { endSession, endSessionOf, findSession } from '../../accounts/index.js';
import { users } from '../../organization-read-models/index.js';
import { getOwnSession, getSessionDocument, isSessionUsable, listSessions } from './sessions.queries.js';

type Question = z.output<(typeof authenticateSession)['input']>;
type Answer = z.input<(typeof authenticateSession)['response']>;

@Controller()
export class SessionsController {
  constructor(private readonly announcer: Announcer) {}

  /** Tells the gateway whose session it has received. */
  @Handles(authenticateSession)
  async authenticate({ id, hash }: Question, call: Call<Principal | null>): Promise<Answer> {
    const found = await findSession(call, id, hash);
    if (found.kind === 'stolen') {
      this.announcer.changed(found.user);
      call.logger.warn(
        { user: found.user, session: id },
        'a session was used with a secret that had been replaced, and was ended',
      );
    }
    if (found.kind !== 'valid') return { principal: null };
    const { user: person, organization, expiresAt } = found.session;
    const user = await call.store.read(users).byId(person);
    if (user === null || !(await isSessionUsable(call, found.session))) return { principal: null };
    return {
      principal: {
        kind: 'user',
        id: person,
        token: { id, kind: 'session', expiresAt: new Date(expiresAt).toISOString() },
        ...(organization === null ? {} : { organization }),
        // A session from a provider gives no rights outside its organization, so its user does not act as an operator.
        operator: organization === null && user.operator,
      },
      ...(found.renewed === undefined ? {} : { renewed: found.renewed }),
    };
  }

  @Handles(getSession)
  async get(_input: InputOf<typeof getSession>, call: Call) {
    const session = await getSessionDocument(call, call.principal.token.id);
    if (!(await isSessionUsable(call, session))) throw new AppError('unauthenticated');
    return getOwnSession(call, session);
  }

  @Handles(listUserSessions)
  list({ query }: InputOf<typeof listUserSessions>, call: Call) {
    const { id: user, token } = call.principal;
    return listSessions(call, { ...query, user, current: token.id, operation: call.operation });
  }

  @Handles(deleteUserSession)
  async end({ params }: InputOf<typeof deleteUserSession>, call: Call) {
    const ended = await endSession(call, call.principal.id, params.sessionId);
    if (ended) this.announcer.changed(call.principal.id);
    return ended;
  }

  /** Without a session there is nothing to end. The answer removes the cookie in any case. */
  @Handles(signOut)
  async signOut(_input: InputOf<typeof signOut>, call: Call<Principal | null>) {
    const [id = '', hash = ''] = (call.client.session ?? '').split('.');
    const user = id === '' ? null : await endSessionOf(call, id, hash);
    if (user !== null) this.announcer.changed(user);
    return new WithSession({}, null);
  }
}
