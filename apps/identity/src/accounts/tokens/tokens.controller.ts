import {
  AppError,
  createTokenForUser,
  createUserToken,
  deleteUserToken,
  invalid,
  listUserTokens,
  type InputOf,
} from '@scriptorium/contracts';
import { Announcer, Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { users } from '../../organization-read-models/index.js';
import type { CredentialsEvent } from '../../events/index.js';
import { createToken, credentials, issueToken, revokeToken, type Credentials, type NewToken } from './credentials.js';
import { newPersonalToken } from '@scriptorium/platform/token-secret';
import { getToken, listTokens } from './tokens.queries.js';

type Request = InputOf<typeof createUserToken>['body'];
type Decide = (state: Credentials, input: NewToken) => CredentialsEvent[];

@Controller()
export class TokensController {
  constructor(private readonly announcer: Announcer) {}

  @Handles(listUserTokens)
  list({ query }: InputOf<typeof listUserTokens>, call: Call) {
    return listTokens(call, { ...query, user: call.principal.id, operation: call.operation });
  }

  @Handles(createUserToken)
  create({ body }: InputOf<typeof createUserToken>, call: Call) {
    return this.make(call.principal.id, body, call, createToken);
  }

  @Handles(createTokenForUser)
  async issue({ params, body }: InputOf<typeof createTokenForUser>, call: Call) {
    const user = await call.store.read(users).byId(params.userId);
    if (user === null) throw new AppError('not_found');
    return this.make(params.userId, body, call, (state, token) => issueToken(state, { ...token, kind: user.kind }));
  }

  @Handles(deleteUserToken)
  async revoke({ params }: InputOf<typeof deleteUserToken>, call: Call) {
    const { events } = await call.store.handle(credentials, call.principal.id, (state) =>
      revokeToken(state, { token: params.tokenId }),
    );
    if (events.length > 0) this.announcer.changed(call.principal.id);
    return events.length > 0;
  }

  private async make(user: string, request: Request, call: Call, decide: Decide) {
    if (request.expiresAt !== undefined && Date.parse(request.expiresAt) <= call.now()) {
      throw invalid('body.expiresAt', 'Must be in the future');
    }
    const { id, token, hash } = newPersonalToken();
    const done = await call.store.handle(credentials, user, (state) =>
      decide(state, {
        token: { token: id, hash, ...request },
        limit: call.limits.tokensPerUser,
        now: call.now(),
      }),
    );
    // A repeated request finds the token of the first one. Only the answer to the first request contained the secret.
    const made = done.events.flatMap((event) => (event.type === 'TokenCreated' ? [event.data.token] : []))[0] ?? id;
    return {
      ...(await readAfterCreate(call, () => getToken(call, made))),
      ...(done.repeated ? {} : { token }),
    };
  }
}
