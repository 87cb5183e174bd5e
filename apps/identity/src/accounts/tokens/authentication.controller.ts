import { timingSafeEqual } from 'node:crypto';
import { authenticateToken } from '@scriptorium/contracts';
import { Controller, Handles, type InternalCall } from '@scriptorium/platform';
import type * as z from 'zod';
import { users } from '../../organization-read-models/index.js';
import { recordUse } from './token-use.operational.js';
import { tokens } from './token.projection.js';

const useRecordedEveryMs = 60_000;
const maxTrackedUses = 10_000;

type Input = z.output<(typeof authenticateToken)['input']>;
type Answer = z.input<(typeof authenticateToken)['response']>;

/** Tells the gateway whose token it has received. */
@Controller()
export class AuthenticationController {
  readonly #recorded = new Map<string, number>();

  @Handles(authenticateToken)
  async authenticate({ id, hash }: Input, call: InternalCall): Promise<Answer> {
    // Read from the database and not by `byId`: a cached document could outlive a revocation, and the gateway caches
    // the answer too.
    const token = await call.store.read(tokens).findOne({ _id: id });
    if (token === null || !sameHash(token.hash, hash)) return { principal: null };
    if (token.expiresAt !== undefined && Date.parse(token.expiresAt) <= call.now()) return { principal: null };
    const user = await call.store.read(users).byId(token.user);
    if (user === null) return { principal: null };
    this.trackUse(id, call);
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

  /** Not awaited: recording a use must not delay a request or make it fail. */
  private trackUse(token: string, call: InternalCall): void {
    const now = call.now();
    if (now - (this.#recorded.get(token) ?? -Infinity) < useRecordedEveryMs) return;
    if (this.#recorded.size >= maxTrackedUses) this.#recorded.clear();
    this.#recorded.set(token, now);
    recordUse(call, token, now).catch((error: unknown) => {
      this.#recorded.delete(token);
      call.logger.warn({ err: error }, 'the use of a token could not be noted');
    });
  }
}

function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
