import { AppError } from '@scriptorium/contracts';
import { sealedTexts, type ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import * as z from 'zod';

type Within = Pick<ServiceContext, 'database' | 'keys'>;

/** The address of a developer. */
const Tunnel = z.object({
  url: z.string(),
  /** Set by an operator, who may have installations of everybody sent there. */
  byOperator: z.boolean(),
});
export type Tunnel = z.output<typeof Tunnel>;

/** Addresses of developers, by the integration; the version is the time until which they count. */
const tunnels = sealedTexts({ collection: 'op_dev_mode', owner: 'integration' });

interface FailureDocument {
  /** The integration. */
  _id: string;
  /** Calls without an answer, one after the other. */
  failures: number;
}

export const tunnelIndexes = { ...tunnels.indexes, op_dev_failures: [] };

function failures({ database }: Pick<Within, 'database'>): Collection<FailureDocument> {
  return database.collection<FailureDocument>('op_dev_failures');
}

/** @throws AppError `conflict` when another address is stored for that time */
export async function keepTunnel(scope: Within, integration: string, until: string, tunnel: Tunnel): Promise<void> {
  const [name, text] = [{ owner: integration, version: until }, JSON.stringify(tunnel)];
  await tunnels.add(scope, name, text);
  if ((await tunnels.find(scope, name)) !== text)
    throw new AppError('conflict', [], { message: 'Somebody else begins it at the same moment', retryAfter: 1 });
  await forgetTunnelFailures(scope, integration);
}

export async function findTunnel(scope: Within, integration: string, until: string): Promise<Tunnel | undefined> {
  const text = await tunnels.find(scope, { owner: integration, version: until });
  return text === undefined ? undefined : Tunnel.parse(JSON.parse(text));
}

/** Removes the address that was to count until then, if there is one. Safe to repeat. */
export async function dropTunnel(
  scope: Pick<Within, 'database'>,
  integration: string,
  until: string | null,
): Promise<void> {
  if (until !== null) await tunnels.drop(scope, [{ owner: integration, version: until }]);
}

/** Removes all addresses of an integration, and what was counted. Safe to repeat. */
export async function dropTunnels(scope: Pick<Within, 'database'>, integration: string): Promise<void> {
  await tunnels.dropAll(scope, { owner: integration });
  await failures(scope).deleteOne({ _id: integration });
}

/** Counts a call without an answer; how many there were in a row. */
export async function countTunnelFailure(scope: Pick<Within, 'database'>, integration: string): Promise<number> {
  const options = { upsert: true, returnDocument: 'after' } as const;
  const found = await failures(scope).findOneAndUpdate({ _id: integration }, { $inc: { failures: 1 } }, options);
  return found?.failures ?? 0;
}

export async function forgetTunnelFailures(scope: Pick<Within, 'database'>, integration: string): Promise<void> {
  await failures(scope).deleteOne({ _id: integration });
}
