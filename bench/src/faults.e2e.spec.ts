import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClient } from '@scriptorium/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { Findings } from './crash/findings.js';
import { createWorld, type World } from './crash/world.js';
import { Cleanup } from './processes/cleanup.js';
import { waitFor } from './processes/wait-for.js';

jest.setTimeout(180_000);

const deadlineMs = 10_000;
const slackMs = 1_000;
const awayMs = 4_000;

const cleanup = new Cleanup();
const findings = new Findings();
let world: World;
let path: string;
let organization: string;

beforeAll(async () => {
  world = await createWorld(1, findings, cleanup);
  const client = createClient({ endpoint: world.endpoint, token: world.token });
  organization = (await client.createOrganization({ body: { title: 'Faults' } })).id;
  const team = await client.createOrganizationTeam({ params: { organizationId: organization }, body: { title: 'Before' } });
  path = `/v1/orgs/${organization}/teams/${team.id}`;
});
afterAll(() => cleanup.run());

interface Answer {
  status: number;
  reason: string | undefined;
  ms: number;
}

async function ask(method: string, at: string, body?: object): Promise<Answer> {
  const began = performance.now();
  const response = await fetch(world.endpoint + at, {
    method,
    headers: { authorization: `Bearer ${world.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(deadlineMs + slackMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json().catch(() => undefined)) as { error?: { reason?: string } } | undefined;
  return { status: response.status, reason: answer?.error?.reason, ms: performance.now() - began };
}

/** Checks of a process that fail, by its readiness details; `undefined` when it does not answer. */
async function failing(name: 'gateway' | 'replica'): Promise<{ status: number; names: string[] } | undefined> {
  const admin = world.adminOf(name === 'gateway' ? world.gateway : (world.replicas[0] ?? world.gateway));
  const response = await fetch(`${admin}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (response === undefined) return undefined;
  const report = (await response.json()) as { apps: { checks: { name: string; ok: boolean }[] }[] };
  return { status: response.status, names: report.apps.flatMap(({ checks }) => checks).filter(({ ok }) => !ok).map(({ name: check }) => check) };
}

describe('with the servers away for seconds', () => {
  it('answers 503 within the deadline, says what is away, and recovers without a restart', async () => {
    const pids = [world.gateway.pid(), ...world.replicas.map((replica) => replica.pid())];
    await world.servers.kill(undefined);
    const gone = performance.now();
    const answers: Answer[] = [];
    while (performance.now() - gone < awayMs) {
      answers.push(...(await Promise.all([
        ask('GET', path), ask('PATCH', path, { title: `During ${answers.length}` }), ask('PUT', `/v1/orgs/${organization}/teams`, { title: 'During' }),
      ])));
      await delay(100);
    }
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, reason: 'unavailable' });
      expect(answer.ms).toBeLessThan(deadlineMs + slackMs);
    }
    await waitFor('identity to say what is away', async () => {
      const report = await failing('replica');
      return report?.status === 503 && ['eventstore', 'mongodb', 'nats'].every((name) => report.names.includes(name));
    }, 10_000, 100);
    const gateway = await failing('gateway');
    expect([gateway?.status, gateway?.names]).toEqual([503, ['nats']]);
    expect((await fetch(`${world.endpoint}/readyz`)).status).toBe(503);
    expect((await fetch(`${world.endpoint}/livez`)).status).toBe(200);

    world.servers.start();
    await world.untilReady(30_000);
    await waitFor('a write', async () => (await ask('PATCH', path, { title: 'After' })).status === 200, 20_000, 100);
    const after = await ask('GET', path);
    expect(after.status).toBe(200);
    expect([world.gateway.pid(), ...world.replicas.map((replica) => replica.pid())]).toEqual(pids);
    expect(findings.found).toEqual([]);
  });
});
