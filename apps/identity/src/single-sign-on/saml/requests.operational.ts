import { randomBytes, randomInt } from 'node:crypto';
import { isDuplicate } from '@scriptorium/event-sourcing';
import { base62, networkOf, type Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

/** What a provider was asked, and by whose browser: its answer is taken once, from that browser, by whichever replica. */
export interface SAMLRequest {
  /** What the provider gives back as `RelayState`; with `_` before it, the id of the request. */
  _id: string;
  provider: string;
  /** Hash of the cookie of the browser that was sent. */
  browser: string;
  /** Whose account is to be connected; null where somebody signs in. */
  user: string | null;
  /** Keyed digest of the network that they ask from. */
  network: string;
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
/** Beyond these the oldest of a provider, or of a network, are dropped: anybody can have one made, and nobody all. */
export const openRequestsPerProvider = 10_000;
export const openRequestsPerNetwork = 1_000;
/** Of so many new ones about one looks whether there are too many: that costs more than all else. */
const looksOneIn = 100;

const [requestsName, assertionsName] = ['op_saml_requests', 'op_saml_assertions'] as const;
const ofExpiry = { key: { expiresAt: 1 }, name: 'expiresAt' } as const;
export const samlIndexes = {
  [requestsName]: [
    ofExpiry,
    { key: { provider: 1, createdAt: 1 }, name: 'provider_createdAt' },
    { key: { network: 1, createdAt: 1 }, name: 'network_createdAt' },
  ],
  [assertionsName]: [ofExpiry],
} as const;

function requests({ database }: Pick<Scope, 'database'>): Collection<SAMLRequest> {
  return database.collection<SAMLRequest>(requestsName);
}

function assertions({ database }: Pick<Scope, 'database'>): Collection<UsedAssertion> {
  return database.collection<UsedAssertion>(assertionsName);
}

/** What a request is opened for. */
interface Asked extends Pick<SAMLRequest, 'provider' | 'browser' | 'user'> {
  /** Address of the client. */
  address: string | undefined;
}

export async function openRequest(scope: Scope, { address, ...asked }: Asked): Promise<string> {
  const network = scope.keys.digest('saml request', networkOf(address ?? 'unknown')).toString('base64url');
  const now = scope.now();
  const relay = base62(randomBytes(24), 32);
  await requests(scope).insertOne({ _id: relay, ...asked, network, createdAt: now, expiresAt: now + requestLifeMs });
  if (randomInt(looksOneIn) === 0) await boundRequests(scope, { network, provider: asked.provider });
  return relay;
}

/** Drops the oldest requests of a network and of a provider beyond what these can have. */
export async function boundRequests(
  scope: Scope,
  { network, provider }: Pick<SAMLRequest, 'network' | 'provider'>,
): Promise<void> {
  await dropOldest(scope, { network }, openRequestsPerNetwork);
  await dropOldest(scope, { provider }, openRequestsPerProvider);
}

async function dropOldest(
  scope: Scope,
  of: Partial<Pick<SAMLRequest, 'network' | 'provider'>>,
  most: number,
): Promise<void> {
  const [tooMany] = await requests(scope).find(of).sort({ createdAt: -1 }).skip(most).limit(1).toArray();
  if (tooMany !== undefined) await requests(scope).deleteMany({ ...of, createdAt: { $lte: tooMany.createdAt } });
}

/**
 * Takes a request out: of those who answer it at the same time the one who removes it gets it. Null where there is none for this
 * browser.
 */
export async function takeRequest(
  scope: Scope,
  asked: Pick<SAMLRequest, '_id' | 'provider' | 'browser'>,
): Promise<SAMLRequest | null> {
  const request = await requests(scope).findOne({ ...asked, expiresAt: { $gt: scope.now() } });
  if (request === null) return null;
  const { deletedCount } = await requests(scope).deleteOne({ _id: request._id });
  return deletedCount === 1 ? request : null;
}

/** Notes that an assertion is used; false when it was before. */
export async function useAssertion(scope: Scope, id: string, expiresAt: number): Promise<boolean> {
  try {
    await assertions(scope).insertOne({ _id: id, expiresAt });
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

export async function sweepSAML(scope: Scope): Promise<void> {
  const over = { expiresAt: { $lte: scope.now() } };
  await requests(scope).deleteMany(over);
  await assertions(scope).deleteMany(over);
}
