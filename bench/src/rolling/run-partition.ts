import { setTimeout as delay } from 'node:timers/promises';
import { services } from '@scriptorium/contracts';
import { Findings } from '../crash/findings.js';
import type { CrashResult } from '../crash/run.js';
import { createWorld, type ServerName, type World } from '../crash/world.js';
import type { Cleanup } from '../processes/cleanup.js';
import { waitFor } from '../processes/wait-for.js';
import { startGate, type Gate } from './gate.js';
import { patientClient } from '../product/patient-client.js';

export interface PartitionOptions {
  /** The service that is cut off: all of its replicas. */
  service: string;
  servers: readonly ServerName[];
  /** How long it is cut off. */
  awayMs: number;
  replicas: number;
  say: (text: string) => void;
}

const deadlineMs = 10_000;
const slackMs = 1_500;
const recoverMs = 30_000;
const everyMs = 200;

/** Requests of the services that are asked all the time: reads, and writes with a key of their own. */
interface Probe {
  name: string;
  service: string;
  ask(number: number): { method: string; path: string; body?: object };
}

/**
 * Cuts a service off from one server after the other: bytes stop, and no connection ends. Every request has to be
 * answered within its deadline, by success or by 503 `unavailable`; afterwards everything has to work again, and no
 * process may have ended.
 */
export async function runPartition(options: PartitionOptions, cleanup: Cleanup): Promise<CrashResult> {
  const { service, servers, replicas, say } = options;
  const names = services.map(({ name }) => name);
  // Otherwise nobody would be cut off, and all would be well.
  if (!names.some((name) => name === service))
    throw new Error(`There is no service "${service}"; the services are ${names.join(', ')}`);
  const findings = new Findings();
  const gates = new Map<ServerName, Gate[]>(servers.map((server) => [server, []]));
  const through = async (replica: string, server: ServerName, port: number): Promise<number> => {
    if (!replica.startsWith(`${service}-`)) return port;
    const gate = await startGate(port, cleanup);
    gates.get(server)?.push(gate);
    return gate.port;
  };
  say(`starting a gateway, ${replicas} replicas of each service and the servers`);
  const world = await createWorld({ replicas, separateServers: true, through }, findings, cleanup);
  const probes = await prepare(world);
  for (const server of servers) {
    const parts = { world, probes, findings, gates: gates.get(server) ?? [], server };
    await cutOff(parts, options);
  }
  return { found: findings.found, counts: findings.counts };
}

async function prepare(world: World): Promise<Probe[]> {
  const client = patientClient({ endpoint: world.endpoint, token: world.token });
  const organization = (await client.createOrganization({ body: { title: 'Cut off' } })).id;
  const params = { organizationId: organization };
  const team = await client.createOrganizationTeam({ params, body: { title: 'Team' } });
  const space = await client.createSpace({ params, body: { title: 'Space', editMode: 'live', empty: true } });
  const [teams, spaces] = [`/v1/orgs/${organization}/teams/${team.id}`, `/v1/spaces/${space.id}`];
  return [
    { name: 'read a team', service: 'identity', ask: () => ({ method: 'GET', path: teams }) },
    {
      name: 'read members',
      service: 'identity',
      ask: () => ({ method: 'GET', path: `/v1/orgs/${organization}/members` }),
    },
    {
      name: 'rename a team',
      service: 'identity',
      ask: (number) => ({ method: 'PATCH', path: teams, body: { title: `Team ${number}` } }),
    },
    { name: 'read a space', service: 'content', ask: () => ({ method: 'GET', path: spaces }) },
    { name: 'read pages', service: 'content', ask: () => ({ method: 'GET', path: `${spaces}/content/pages` }) },
    {
      name: 'rename a space',
      service: 'content',
      ask: (number) => ({ method: 'PATCH', path: spaces, body: { title: `Space ${number}` } }),
    },
  ];
}

interface Parts {
  world: World;
  probes: readonly Probe[];
  findings: Findings;
  gates: readonly Gate[];
  server: ServerName;
}

async function cutOff(parts: Parts, { service, awayMs, say }: PartitionOptions): Promise<void> {
  const { world, probes, findings, gates, server } = parts;
  const before = pidsOf(world);
  await allAnswered(parts);
  for (const gate of gates) gate.shut();
  const end = performance.now() + awayMs;
  const slow = new Map<string, number>();
  await Promise.all(
    probes.map(async (probe) => {
      for (let number = 0; performance.now() < end; number += 1) {
        const { outcome, ms } = await ask(world, probe, number);
        judge(parts, probe, outcome, ms, service);
        slow.set(probe.name, Math.max(slow.get(probe.name) ?? 0, Math.round(ms)));
        await delay(everyMs);
      }
    }),
  );
  for (const gate of gates) gate.open();
  const took = await allAnswered(parts);
  await world.untilReady(recoverMs).catch((error: unknown) => findings.report(`${server}: ${String(error)}`));
  if (JSON.stringify(pidsOf(world)) !== JSON.stringify(before)) findings.report(`${server}: a process has ended`);
  findings.count(`${server}: ms until all was answered again`, took);
  say(
    `${service} without ${server} for ${awayMs / 1000} s: longest answers ${JSON.stringify(Object.fromEntries(slow))}, well after ${took} ms`,
  );
}

function judge({ findings, server }: Parts, probe: Probe, outcome: string, ms: number, cut: string): void {
  findings.count(`without ${server}, ${probe.name}: ${outcome}`);
  const of = `${probe.name} without ${server}`;
  if (ms > deadlineMs + slackMs) findings.report(`${of} was answered after ${Math.round(ms)} ms`);
  if (outcome !== 'done' && outcome !== '503 unavailable') findings.report(`${of}: ${outcome}`);
  // Whoever is cut off from identity cannot be known, so only a service that others do not need is told apart.
  if (outcome !== 'done' && cut !== 'identity' && probe.service !== cut)
    findings.report(`${of}: ${outcome}, in another service`);
}

/** Waits until every probe succeeds; answers how long that took. */
async function allAnswered({ world, probes, findings, server }: Parts): Promise<number> {
  const began = performance.now();
  for (const probe of probes) {
    const well = async () => (await ask(world, probe, Math.round(performance.now()))).outcome === 'done';
    await waitFor(`${probe.name} to be answered`, well, recoverMs, everyMs).catch((error: unknown) =>
      findings.report(`${server}: ${String(error)}`),
    );
  }
  return Math.round(performance.now() - began);
}

async function ask(world: World, probe: Probe, number: number): Promise<{ outcome: string; ms: number }> {
  const { method, path, body } = probe.ask(number);
  const began = performance.now();
  const outcome = await fetch(world.endpoint + path, {
    method,
    headers: {
      authorization: `Bearer ${world.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(2 * deadlineMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).then(
    async (response) => {
      const answer = (await response.json().catch(() => undefined)) as { error?: { reason?: string } } | undefined;
      return response.ok ? 'done' : `${response.status} ${answer?.error?.reason ?? ''}`;
    },
    (error: unknown) => `no answer: ${error instanceof Error ? error.name : String(error)}`,
  );
  return { outcome, ms: performance.now() - began };
}

const pidsOf = ({ gateways, replicas }: World) => [...gateways, ...replicas].map((process) => process.pid());
