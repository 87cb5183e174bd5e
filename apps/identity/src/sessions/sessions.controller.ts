import {
  authenticateSession, deleteUserSession, getSession, listUserSessions, signOut, type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, WithSession, type Call, type InternalCall } from '@scriptorium/platform';
import type * as z from 'zod';
import { PrincipalAnnouncer } from '../principals/principal.announcer.js';
import { users } from '../users/user.projection.js';
import { endSession, endSessionOf, findSession } from './sessions.operational.js';
import { getOwnSession, getSessionDocument, listSessions } from './sessions.queries.js';

type Question = z.output<(typeof authenticateSession)['input']>;
type Answer = z.input<(typeof authenticateSession)['response']>;

@Controller()
export class SessionsController {
  constructor(
    private readonly context: ServiceContext,
    private readonly announcer: PrincipalAnnouncer,
  ) {}

  /** Tells the gateway who a session stands for. */
  @Handles(authenticateSession)
  async authenticate({ id, hash }: Question): Promise<Answer> {
    const found = await findSession(this.context, id, hash);
    if (found.kind === 'stolen') {
      this.announcer.changed(found.user);
      this.context.logger.warn({ user: found.user, session: id }, 'a session was used with a secret that had been replaced, and was ended');
    }
    if (found.kind !== 'good') return { principal: null };
    const { user: person, organization, expiresAt } = found.session;
    const user = await this.context.store.collection(users).byId(person);
    if (user === null) return { principal: null };
    return {
      principal: {
        kind: 'user',
        id: person,
        token: { id, kind: 'session', expiresAt: new Date(expiresAt).toISOString() },
        ...(organization === null ? {} : { organization }),
        // Of what a provider vouches for, nothing reaches beyond its organization.
        operator: organization === null && user.operator,
      },
      ...(found.renewed === undefined ? {} : { renewed: found.renewed }),
    };
  }

  @Handles(getSession)
  async get(_input: InputOf<typeof getSession>, call: Call) {
    return getOwnSession(this.context, await getSessionDocument(this.context, call.principal.token.id));
  }

  @Handles(listUserSessions)
  list({ query }: InputOf<typeof listUserSessions>, call: Call) {
    const { id: user, token } = call.principal;
    return listSessions(this.context, { ...query, user, current: token.id, operation: call.operation });
  }

  @Handles(deleteUserSession)
  async end({ params }: InputOf<typeof deleteUserSession>, call: Call) {
    const ended = await endSession(this.context, call.principal.id, params.sessionId);
    if (ended) this.announcer.changed(call.principal.id);
    return ended;
  }

  /** Without a session there is nothing to do, and the client forgets what it may still have. */
  @Handles(signOut)
  async signOut(_input: InputOf<typeof signOut>, { client }: InternalCall) {
    const [id = '', hash = ''] = (client.session ?? '').split('.');
    const user = id === '' ? null : await endSessionOf(this.context, id, hash);
    if (user !== null) this.announcer.changed(user);
    return new WithSession({}, null);
  }
}
