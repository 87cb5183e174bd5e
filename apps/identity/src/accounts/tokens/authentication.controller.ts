import { authenticateToken, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { users } from '../../organization-read-models/index.js';
import { sameHash } from './same-hash.check.js';
import { tokens } from './token.projection.js';
import { UseTracker } from './token-use.operational.js';

type Input = z.output<(typeof authenticateToken)['input']>;
type Answer = z.input<(typeof authenticateToken)['response']>;

/** Tells the gateway whose token it has received. */
@Controller()
export class AuthenticationController {
  readonly #uses = new UseTracker();

  @Handles(authenticateToken)
  async authenticate({ id, hash }: Input, call: Call<Principal | null>): Promise<Answer> {
    // Read from the database and not by `byId`: a cached document could outlive a revocation, and the gateway caches
    // the answer too.
    const token = await call.store.read(tokens).findOne({ _id: id });
    if (token === null || !sameHash(token.hash, hash)) return { principal: null };
    if (token.expiresAt !== undefined && Date.parse(token.expiresAt) <= call.now()) return { principal: null };
    const user = await call.store.read(users).byId(token.user);
    if (user === null) return { principal: null };
    this.#uses.track(id, call);
    const { scopes, expiresAt } = token;
    return {
      principal: {
        kind: 'user',
        id: token.user,
        token: { id, kind: 'personal', scopes, expiresAt },
        operator: user.operator,
      },
    };
  }
}
