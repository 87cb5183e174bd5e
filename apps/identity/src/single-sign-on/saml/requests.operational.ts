import { randomBytes, randomInt } from 'node:crypto';
import { isDuplicate } from '@scriptorium/event-sourcing';
import { base62, networkOf, type Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

/** A request to a provider. Its response is accepted once, from the same browser, on any replica. */
export interface SAMLRequest {
  /** The `RelayState` that the provider returns. With `_` before it, it is the id of the request. */
  _id: string;
  provider: string;
  /** Hash of the cookie of the browser. */
  browser: string;
  /** The user who connects their account. Null for a sign-in. */
  user: string | null;
  /** Keyed hash of the network of the client. */
  network: string;
  /** Epoch ms. */
  createdAt: number;
  expiresAt: number;
}

/** An accepted assertion, by a hash of its provider and id. */
interface UsedAssertion {
  _id: string;
  /** When the assertion becomes too old, epoch ms. */
  expiresAt: number;
}

/** How long people may take at their provider. */
export const requestLifeMs = 15 * 60_000;
/**
 * The most open requests of a provider and of a network. When there are more, the oldest are dropped. Anybody can open
 * requests, so one network must not be able to use up the limit of a provider.
 */
export const openRequestsPerProvider = 10_000;
export const openRequestsPerNetwork = 1_000;
/** About one of this many new requests checks the limits, since the check costs more than all the rest. */
const checkLimitsOneIn = 100;

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

/** What a new request is opened with. */
interface NewRequest extends Pick<SAMLRequest, 'provider' | 'browser' | 'user'> {
  /** The address of the client. */
  address: string | undefined;
}

export async function openRequest(scope: Scope, { address, ...asked }: NewRequest): Promise<string> {
  const network = scope.keys.digest('saml request', networkOf(address ?? 'unknown')).toString('base64url');
  const now = scope.now();
  const relay = base62(randomBytes(24), 32);
  await requests(scope).insertOne({ _id: relay, ...asked, network, createdAt: now, expiresAt: now + requestLifeMs });
  if (randomInt(checkLimitsOneIn) === 0) await boundRequests(scope, { network, provider: asked.provider });
  return relay;
}

/** Drops the oldest requests of a network and of a provider beyond their limits. */
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
 * Removes a request and returns it. Of several responses at the same time only one gets it. Null when this browser has
 * no such request.
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

/** Records that an assertion is used. False when it was used before. */
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
