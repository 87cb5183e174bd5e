import { setTimeout as delay } from 'node:timers/promises';
import type { Caller, CallRequest } from './caller.js';
import type { Findings } from './findings.js';
import type { Random } from './random.js';
import type { World } from './world.js';

export interface RevokerParts {
  world: Pick<World, 'endpoint' | 'token'>;
  /** Calls as the owner of the organization. */
  owner: Caller;
  organization: string;
  name: string;
  random: Random;
  findings: Findings;
  stopped: () => boolean;
  /** Whether nothing has been killed so far. */
  steady: () => boolean;
}

/** A member whose access to a space is taken away again and again. */
interface Revoked {
  id: string;
  email: string;
  token: string;
  space: string;
}

/** So long after access was taken away, another service may still let somebody in. */
const staleMs = 2_000;
const watchedMs = 1_000;
const grantedMs = 20_000;
const everyMs = 20;
const answerMs = 15_000;

/**
 * Takes access away from somebody in three ways, and reports each of their requests that is answered later and
 * succeeds.
 */
export async function runRevoker(parts: RevokerParts): Promise<void> {
  const { stopped, random, findings } = parts;
  const revoked = await findRevoked(parts);
  for (let round = 1; !stopped(); round += 1) {
    const key = `${parts.name}-${round}`;
    if (!(await admitted(parts, revoked, `${key}-in`))) continue;
    const way = random.pick(['removed', 'lowered', 'left'] as const);
    const at = await revoke(parts, revoked, way, `${key}-out`);
    if (at === undefined) continue;
    await watch(parts, revoked, way, at);
    findings.count(`access taken away: ${way}`);
  }
}

async function findRevoked({ owner, organization, name }: RevokerParts): Promise<Revoked> {
  const made = async (request: CallRequest, key: string): Promise<Record<string, string>> => {
    const outcome = await owner.settle({ ...request, key: `${name}-${key}` });
    if (outcome.kind !== 'done') throw new Error(`${name} could not make its ${key}: ${JSON.stringify(outcome)}`);
    return outcome.body as Record<string, string>;
  };
  const email = `${name}@revoked.example.org`;
  const body = { email, displayName: name, emailVerified: true };
  const { id = '' } = await made({ method: 'POST', path: '/v1/users', body }, 'user');
  const path = `/v1/users/${id}/tokens`;
  const { token = '' } = await made({ method: 'POST', path, body: { label: 'revoked' } }, 'token');
  const spaces = `/v1/orgs/${organization}/spaces`;
  const { id: space = '' } = await made({ method: 'POST', path: spaces, body: { title: name } }, 'space');
  return { id, email, token, space };
}

/** Makes the person a reader, and waits until the space is shown to them. */
async function admitted({ world, owner, organization, stopped }: RevokerParts, person: Revoked, key: string) {
  const members = `/v1/orgs/${organization}/members/${person.id}`;
  const isMember = (await owner.call({ method: 'GET', path: members })).kind === 'done';
  await owner.settle(
    isMember
      ? { method: 'PATCH', path: members, body: { role: 'read' }, key }
      : {
          method: 'POST',
          path: `/v1/orgs/${organization}/invites`,
          body: { emails: [{ email: person.email, role: 'read' }] },
          key,
        },
  );
  const end = performance.now() + grantedMs;
  while (performance.now() < end && !stopped()) {
    if ((await statusOf(world, person)) === 200) return true;
    await delay(everyMs);
  }
  return false;
}

/** When the answer came that access is taken away; `undefined` where that is not known. */
async function revoke(
  { world, owner, organization, stopped }: RevokerParts,
  person: Revoked,
  way: 'removed' | 'lowered' | 'left',
  key: string,
): Promise<number | undefined> {
  const path = `/v1/orgs/${organization}/members/${person.id}`;
  if (way === 'left') {
    while (!stopped()) {
      const status = await statusOf(world, person, { method: 'DELETE', path, key });
      if (status === 205) return performance.now();
      if (status !== undefined && status < 500) return undefined;
      await delay(everyMs);
    }
    return undefined;
  }
  const outcome = await owner.settle(
    way === 'removed' ? { method: 'DELETE', path, key } : { method: 'PATCH', path, body: { role: null }, key },
  );
  return outcome.kind === 'done' ? performance.now() : undefined;
}

async function watch(
  { world, findings, steady }: RevokerParts,
  person: Revoked,
  way: string,
  at: number,
): Promise<void> {
  const first = await statusOf(world, person);
  // A client that takes access from itself is refused by its next request, as long as its gateway remembers.
  if (way === 'left' && first === 200 && steady())
    findings.report(`${person.id} left and could read the space with the next request`);
  while (performance.now() < at + staleMs + watchedMs) {
    const status = await statusOf(world, person);
    const late = Math.round(performance.now() - at);
    if (status === 200 && late > staleMs)
      findings.report(`${person.id} was ${way} and read the space ${late} ms later`);
    await delay(everyMs);
  }
}

/**
 * The status of an answer to the person: of a GET of the space, unless told otherwise. `undefined` without an answer.
 */
async function statusOf(
  { endpoint }: RevokerParts['world'],
  { token, space }: Revoked,
  { method, path, key }: { method: string; path: string; key?: string } = {
    method: 'GET',
    path: `/v1/spaces/${space}`,
  },
): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) };
  try {
    const response = await fetch(`${endpoint}${path}`, { method, headers, signal: AbortSignal.timeout(answerMs) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}
