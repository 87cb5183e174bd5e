import {
  AppError, createTokenForUser, createUserToken, deleteUserToken, invalid, listUserTokens, type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, justMade, type Call } from '@scriptorium/platform';
import { PrincipalAnnouncer } from '../principals/principal.announcer.js';
import { users } from '../users/user.projection.js';
import type { CredentialsEvent } from './credentials.events.js';
import { createToken, credentials, issueToken, revokeToken, type Credentials, type NewToken } from './credentials.js';
import { newPersonalToken } from '@scriptorium/platform/token-secret';
import { getToken, listTokens } from './tokens.queries.js';

type Request = InputOf<typeof createUserToken>['body'];
type Decide = (state: Credentials, input: NewToken) => CredentialsEvent[];

@Controller()
export class TokensController {
  constructor(
    private readonly context: ServiceContext,
    private readonly announcer: PrincipalAnnouncer,
  ) {}

  @Handles(listUserTokens)
  list({ query }: InputOf<typeof listUserTokens>, call: Call) {
    return listTokens(this.context, { ...query, user: call.principal.id, operation: call.operation });
  }

  @Handles(createUserToken)
  create({ body }: InputOf<typeof createUserToken>, call: Call) {
    return this.make(call.principal.id, body, call, createToken);
  }

  @Handles(createTokenForUser)
  async issue({ params, body }: InputOf<typeof createTokenForUser>, call: Call) {
    const user = await this.context.store.collection(users).byId(params.userId);
    if (user === null) throw new AppError('not_found');
    return this.make(params.userId, body, call, (state, token) => issueToken(state, { ...token, kind: user.kind }));
  }

  @Handles(deleteUserToken)
  async revoke({ params }: InputOf<typeof deleteUserToken>, call: Call) {
    const command = this.context.command(call, null);
    const { events } = await this.context.store.handle(credentials, call.principal.id, command, (state) =>
      revokeToken(state, { token: params.tokenId }),
    );
    if (events.length > 0) this.announcer.changed(call.principal.id);
    return events.length > 0;
  }

  private async make(user: string, request: Request, call: Call, decide: Decide) {
    if (request.expiresAt !== undefined && Date.parse(request.expiresAt) <= this.context.now()) {
      throw invalid('body.expiresAt', 'Must be in the future');
    }
    const { id, token, hash } = newPersonalToken();
    const expiresAt = request.expiresAt === undefined ? undefined : new Date(request.expiresAt).toISOString();
    const done = await this.context.store.handle(credentials, user, this.context.command(call, null), (state) =>
      decide(state, { token: { token: id, hash, ...request, expiresAt }, limit: this.context.limits.tokensPerUser, now: this.context.now() }),
    );
    // A repetition finds the token that the first request made; its secret is known to nobody but who got that answer.
    const made = done.events.flatMap((event) => (event.type === 'TokenCreated' ? [event.data.token] : []))[0] ?? id;
    return { ...(await justMade(this.context, () => getToken(this.context, made))), ...(done.repeated ? {} : { token }) };
  }
}
