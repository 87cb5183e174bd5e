import type { ServiceContext } from '@scriptorium/platform';
import { createHash, randomBytes } from 'node:crypto';
import type { Collection } from 'mongodb';

type Within = Pick<ServiceContext, 'database' | 'now'>;

/** Where a browser goes that has opened a one-time address. */
export interface Callback {
  integration: string;
  installation: string;
  to: string;
}

interface CallbackDocument extends Callback {
  /** SHA-256 of the token in the address. */
  _id: string;
  /** ms */
  until: number;
}

export const callbackIndexes = {
  op_callbacks: [
    { key: { until: 1 }, name: 'until' },
    { key: { installation: 1 }, name: 'installation' },
  ],
} as const;

const openForMs = 15 * 60_000;
/** Of one installation: the oldest go first. */
const mostOpen = 100;

function callbacks({ database }: Within): Collection<CallbackDocument> {
  return database.collection<CallbackDocument>('op_callbacks');
}

/** Stores where a one-time address leads; the token of the address. */
export async function openCallback(scope: Within, callback: Callback): Promise<string> {
  const now = scope.now();
  await callbacks(scope).deleteMany({ until: { $lte: now } });
  const { installation } = callback;
  const old = await callbacks(scope)
    .find({ installation })
    .sort({ until: -1 })
    .skip(mostOpen - 1)
    .toArray();
  if (old.length > 0) await callbacks(scope).deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
  const token = randomBytes(24).toString('base64url');
  await callbacks(scope).insertOne({ ...callback, _id: hashOf(token), until: now + openForMs });
  return token;
}

/** Where a one-time address of an integration leads, once. */
export async function takeCallback(scope: Within, integration: string, token: string): Promise<Callback | null> {
  return callbacks(scope).findOneAndDelete({ _id: hashOf(token), integration, until: { $gt: scope.now() } });
}

/** One-time addresses of what has ended lead nowhere. Safe to repeat. */
export async function dropCallbacks(
  { database }: Pick<Within, 'database'>,
  of: { integration: string } | { installation: string },
): Promise<void> {
  await database.collection<CallbackDocument>('op_callbacks').deleteMany(of);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
