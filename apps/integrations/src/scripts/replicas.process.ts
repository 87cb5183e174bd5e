import { createHash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** An address at which a replica of the runtime listens. */
export interface Replica {
  address: string;
  family: number;
}

const knownForMs = 5_000;

/** Finds the replicas of the runtime behind a name, which may be several addresses. */
export function createReplicas(
  host: string,
  now: () => number,
  find: (host: string) => Promise<readonly Replica[]> = (name) => lookup(name, { all: true, verbatim: true }),
): { for(integration: string): Promise<Replica[]> } {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  let known: { all: readonly Replica[]; until: number } | undefined;
  const all = async (): Promise<readonly Replica[]> => {
    if (family !== 0) return [{ address: literal, family }];
    if (known === undefined || known.until <= now()) known = { all: await find(literal), until: now() + knownForMs };
    return known.all;
  };
  return { for: async (integration) => preferredBy(integration, await all()) };
}

/**
 * Replicas in the order in which an integration uses them (rendezvous hashing): the processes of a version are in few
 * replicas, and where one comes or goes, only what it has moves.
 */
export function preferredBy(integration: string, replicas: readonly Replica[]): Replica[] {
  return replicas
    .map((replica) => ({ replica, weight: weightOf(integration, replica.address) }))
    .sort((one, other) => (one.weight < other.weight ? 1 : -1))
    .map(({ replica }) => replica);
}

function weightOf(integration: string, address: string): string {
  return createHash('sha256').update(`${integration} ${address}`).digest('hex');
}
