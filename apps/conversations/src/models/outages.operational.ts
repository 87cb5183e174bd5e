import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

/** Since when an organization gets no vectors. Absent while it gets them, or has not asked. Times in ms since 1970. */
interface OutageDocument {
  /** The organization. */
  _id: string;
  since: number;
  /** When it asked last, and how long the server told it to wait then (ms). */
  askedAt: number;
  waitMs?: number;
}

/**
 * It asks about once a minute while issues wait, or when the server says. If it has not asked for so long beyond that,
 * another outage has begun.
 */
const longestPause = 600_000;

const name = 'op_embedding_outages';
export const outageIndexes = { [name]: [] } as const;

function outages({ database }: Pick<Scope, 'database'>): Collection<OutageDocument> {
  return database.collection<OutageDocument>(name);
}

/**
 * Notes that an organization got no vectors, and how long the server told it to wait (ms). Resolves to since when it
 * gets none.
 */
export async function noteOutage(
  scope: Pick<Scope, 'database' | 'now'>,
  organization: string,
  waitMs: number,
): Promise<number> {
  const askedAt = scope.now();
  const before = await outages(scope).findOne({ _id: organization });
  const isSame = before !== null && askedAt - before.askedAt < longestPause + (before.waitMs ?? 0);
  const since = isSame ? before.since : askedAt;
  await outages(scope).replaceOne({ _id: organization }, { since, askedAt, waitMs }, { upsert: true });
  return since;
}

/** Notes that an organization gets vectors, or is gone. */
export async function endOutage(scope: Pick<Scope, 'database'>, organization: string): Promise<void> {
  await outages(scope).deleteOne({ _id: organization });
}
