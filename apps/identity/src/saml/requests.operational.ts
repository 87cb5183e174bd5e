import { base62, type ServiceContext } from '@scriptorium/platform';
import { randomBytes } from 'node:crypto';
import { MongoServerError, type Collection } from 'mongodb';

/** What a provider was asked, and by whose browser: its answer is taken once, from that browser, by whichever replica. */
export interface SAMLRequest {
  /** What the provider gives back as `RelayState`; with `_` before it, the id of the request. */
  _id: string;
  provider: string;
  /** Hash of the cookie of the browser that was sent. */
  browser: string;
  /** Whose account is to be connected; null where somebody signs in. */
  user: string | null;
  /** Epoch ms. */
  createdAt: number;
  expiresAt: number;
}

/** An assertion that was taken, by a hash of its provider and id. */
interface UsedAssertion {
  _id: string;
  /** From then on it is refused as too old. Epoch ms. */
  expiresAt: number;
}

/** As long as people may take at their provider. */
export const requestLifeMs = 15 * 60_000;
/** Beyond these the oldest of a provider is dropped: anybody can have one made. */
export const openRequestsPerProvider = 10_000;

function requests({ store }: ServiceContext): Collection<SAMLRequest> {
  return store.database.collection<SAMLRequest>('op_saml_requests');
}

function assertions({ store }: ServiceContext): Collection<UsedAssertion> {
  return store.database.collection<UsedAssertion>('op_saml_assertions');
}

export async function openRequest(context: ServiceContext, asked: Pick<SAMLRequest, 'provider' | 'browser' | 'user'>): Promise<string> {
  const { provider } = asked;
  await requests(context).createIndexes([{ key: { provider: 1, createdAt: 1 }, name: 'provider_createdAt' }, { key: { expiresAt: 1 }, name: 'expiresAt' }]);
  const now = context.now();
  const relay = base62(randomBytes(24), 32);
  await requests(context).insertOne({ _id: relay, ...asked, createdAt: now, expiresAt: now + requestLifeMs });
  const [tooMany] = await requests(context).find({ provider }).sort({ createdAt: -1 }).skip(openRequestsPerProvider).limit(1).toArray();
  if (tooMany !== undefined) await requests(context).deleteMany({ provider, createdAt: { $lte: tooMany.createdAt } });
  return relay;
}

/** Takes a request out: of those who answer it at the same time one gets it. Null where there is none for this browser. */
export function takeRequest(context: ServiceContext, asked: Pick<SAMLRequest, '_id' | 'provider' | 'browser'>): Promise<SAMLRequest | null> {
  return requests(context).findOneAndDelete({ ...asked, expiresAt: { $gt: context.now() } });
}

/** Notes that an assertion is used; false when it was before. */
export async function useAssertion(context: ServiceContext, id: string, expiresAt: number): Promise<boolean> {
  try {
    await assertions(context).insertOne({ _id: id, expiresAt });
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === 11_000) return false;
    throw error;
  }
}

export async function sweepSAML(context: ServiceContext): Promise<void> {
  const over = { expiresAt: { $lte: context.now() } };
  await requests(context).deleteMany(over);
  await assertions(context).createIndexes([{ key: { expiresAt: 1 }, name: 'expiresAt' }]);
  await assertions(context).deleteMany(over);
}
