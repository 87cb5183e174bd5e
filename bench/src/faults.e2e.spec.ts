import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Findings } from './crash/findings.js';
import { createWorld, type World } from './crash/world.js';
import { Cleanup } from './processes/cleanup.js';
import { waitFor } from './processes/wait-for.js';
import { patientClient } from './product/patient-client.js';

jest.setTimeout(180_000);

const deadlineMs = 10_000;
const slackMs = 5_000;
const awayMs = sized(2_500, 4_000);
/** The servers that are away at a time. */
const outages = sized(
  [[['eventstore', 'mongodb', 'nats']]],
  [[['eventstore']], [['mongodb']], [['nats']], [['eventstore', 'mongodb', 'nats']]],
);

const cleanup = new Cleanup();
const findings = new Findings();
let world: World;
let path: string;
let organization: string;
let space: string;
/** Titles of pages whose writes were acknowledged. */
const written: string[] = [];

beforeAll(async () => {
  world = await createWorld({ replicas: 1, separateServers: true }, findings, cleanup);
  const client = patientClient({ endpoint: world.endpoint, token: world.token });
  organization = (await client.createOrganization({ body: { title: 'Faults' } })).id;
  const team = await client.createOrganizationTeam({
    params: { organizationId: organization },
    body: { title: 'Before' },
  });
  path = `/v1/orgs/${organization}/teams/${team.id}`;
  const made = await client.createSpace({
    params: { organizationId: organization },
    body: { editMode: 'live', empty: true },
  });
  space = `/v1/spaces/${made.id}`;
});
afterAll(() => cleanup.run());

interface Answer {
  status: number;
  body: unknown;
  reason: string | undefined;
  ms: number;
}

async function ask(method: string, at: string, body?: object): Promise<Answer> {
  const began = performance.now();
  const response = await fetch(world.endpoint + at, {
    method,
    headers: {
      authorization: `Bearer ${world.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(deadlineMs + slackMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json().catch(() => undefined)) as { error?: { reason?: string } } | undefined;
  return { status: response.status, body: answer, reason: answer?.error?.reason, ms: performance.now() - began };
}

/** Adds a page: its texts are stored first, its revision is recorded then. */
async function addPage(): Promise<Answer> {
  const title = `Page ${randomUUID()}`;
  const changes = [{ operation: 'insert_page', title, document: { markdown: `Text of ${title}.` } }];
  const answer = await ask('POST', `${space}/content`, { changes });
  if (answer.status === 200) written.push(title);
  return answer;
}

/** Checks of a process that fail, by its readiness details; `undefined` when it does not answer. */
async function failing(name: 'gateway' | 'replica'): Promise<{ status: number; names: string[] } | undefined> {
  const admin = world.adminOf(name === 'gateway' ? world.gateway : (world.replicas[0] ?? world.gateway));
  const response = await fetch(`${admin}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (response === undefined) return undefined;
  const report = (await response.json()) as { apps: { checks: { name: string; ok: boolean }[] }[] };
  return {
    status: response.status,
    names: report.apps
      .flatMap(({ checks }) => checks)
      .filter(({ ok }) => !ok)
      .map(({ name: check }) => check),
  };
}

/** Asks for reads and writes for so long; every answer must come within the deadline. */
async function askFor(ms: number, title: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const end = performance.now() + ms; performance.now() < end; await delay(100)) {
    answers.push(
      ...(await Promise.all([
        ask('GET', path),
        ask('GET', `/v1/orgs/${organization}/members`),
        ask('PATCH', path, { title: `${title} ${answers.length}` }),
        ask('PUT', `/v1/orgs/${organization}/teams`, { title }),
        ask('GET', `${space}/content`),
        addPage(),
      ])),
    );
  }
  for (const { ms: took } of answers) expect(took).toBeLessThan(deadlineMs + slackMs);
  return answers;
}

const pids = () => [world.gateway.pid(), ...world.replicas.map((replica) => replica.pid())];

async function backAgain(): Promise<void> {
  for (const server of world.servers) server.start();
  await world.untilReady(30_000);
  await waitFor(
    'a write',
    async () => (await ask('PATCH', path, { title: `After ${performance.now()}` })).status === 200,
    20_000,
    100,
  );
  expect((await ask('GET', path)).status).toBe(200);
  await waitFor('a page', async () => (await addPage()).status === 200, 20_000, 100);
  const { pages } = (await ask('GET', `${space}/content`)).body as { pages: { title: string }[] };
  const titles = pages.map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(written));
  expect(new Set(titles).size).toBe(titles.length);
}

describe('with servers away for seconds', () => {
  it.each(outages)(
    'answers 503 within the deadline, says what is away, and recovers without a restart: %j',
    async (away) => {
      const before = pids();
      for (const server of world.servers.filter(({ name }) => away.includes(name))) await server.kill(undefined);
      const answers = await askFor(awayMs, 'During');
      for (const { status, reason } of answers.filter((answer) => answer.status >= 300))
        expect([status, reason]).toEqual([503, 'unavailable']);
      expect(answers.filter(({ status }) => status === 503)).not.toEqual([]);
      await waitFor(
        'identity to say what is away',
        async () => {
          const report = await failing('replica');
          return report?.status === 503 && away.every((name) => report.names.includes(name));
        },
        10_000,
        100,
      );
      const natsIsAway = away.includes('nats');
      const gateway = await failing('gateway');
      expect([gateway?.status, gateway?.names]).toEqual(natsIsAway ? [503, ['nats']] : [200, []]);
      expect((await fetch(`${world.endpoint}/readyz`)).status).toBe(natsIsAway ? 503 : 200);
      expect((await fetch(`${world.endpoint}/livez`)).status).toBe(200);
      await backAgain();
      expect(pids()).toEqual(before);
      expect(findings.found).toEqual([]);
    },
  );
});
