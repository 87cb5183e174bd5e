import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

/** When a token was last used. It is written without an event, at most once a minute. */
interface TokenUseDocument {
  _id: string;
  at: string;
}

function tokenUses(scope: Pick<Scope, 'database'>): Collection<TokenUseDocument> {
  return scope.database.collection<TokenUseDocument>('op_token_use');
}

/** When tokens were last used, by token id. */
export async function lastUses(
  scope: Pick<Scope, 'database'>,
  tokens: readonly string[],
): Promise<Map<string, string>> {
  const found = await tokenUses(scope)
    .find({ _id: { $in: [...tokens] } })
    .toArray();
  return new Map(found.map(({ _id, at }) => [_id, at]));
}

/** Records a use of a token. Callers make sure that this happens at most once a minute. */
async function recordUse(scope: Pick<Scope, 'database'>, token: string, now: number): Promise<void> {
  await tokenUses(scope).updateOne({ _id: token }, { $set: { at: new Date(now).toISOString() } }, { upsert: true });
}

/** Removes the records of use of these tokens. */
export async function forgetUses(scope: Pick<Scope, 'database'>, tokens: readonly string[]): Promise<void> {
  await tokenUses(scope).deleteMany({ _id: { $in: [...tokens] } });
}

const recordedEveryMs = 60_000;
const maxTracked = 10_000;

/** Records when tokens are used, each at most once a minute in this process. */
export class UseTracker {
  readonly #recorded = new Map<string, number>();

  /** Not awaited: recording a use must not delay a request or make it fail. */
  track(token: string, scope: Scope): void {
    const now = scope.now();
    if (now - (this.#recorded.get(token) ?? -Infinity) < recordedEveryMs) return;
    if (this.#recorded.size >= maxTracked) this.#recorded.clear();
    this.#recorded.set(token, now);
    recordUse(scope, token, now).catch((error: unknown) => {
      this.#recorded.delete(token);
      scope.logger.warn({ err: error }, 'the use of a token could not be noted');
    });
  }
}
