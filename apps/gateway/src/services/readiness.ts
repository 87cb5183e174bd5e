import { access } from 'node:fs/promises';
import { pingOf, type Operation, type Service } from '@scriptorium/contracts';
import type { Check } from '@scriptorium/platform';
import type { FastifyInstance } from 'fastify';
import type { Requester } from './client.js';

export interface ReadinessDeps {
  client: Requester;
  /** The connection to NATS. */
  nats: () => { connected: boolean; server: string };
  /** The services that must answer. */
  services: readonly Service[];
  /** A file that exists once the installation is complete; undefined if there is none. */
  file: string | undefined;
}

/** Whether the product can be used through this gateway. */
export interface Readiness {
  isReady(): Promise<boolean>;
  /** The same, with each condition by name. */
  checks(): Promise<Check[]>;
}

/** The services that answer operations of a table. */
export function servicesOf(table: readonly Operation[]): Service[] {
  return [...new Set(table.map(({ service }) => service))].filter((service) => service !== 'gateway');
}

/**
 * A gateway is ready when it is connected to NATS and each service has answered once. Later it stays ready without a
 * service, because the others still answer. On one machine (`file` is set) it stands for the whole product instead: it
 * is ready when the file exists and all services answer now.
 */
export function createReadiness({ client, nats, services, file }: ReadinessDeps): Readiness {
  const answered = new Set<Service>();
  const ping = async (service: Service): Promise<Check> => {
    const name = `service ${service}`;
    if (file === undefined && answered.has(service)) return { name, ok: true };
    if (!(await answers(client, service))) return { name, ok: false, detail: 'no answer' };
    answered.add(service);
    return { name, ok: true };
  };
  const check = async (): Promise<Check[]> => {
    const { connected, server } = nats();
    const natsCheck = { name: 'nats', ok: connected, detail: server };
    if (!connected) return [natsCheck];
    const complete = file === undefined ? [] : [{ name: 'installation', ...(await isComplete(file)) }];
    return [natsCheck, ...(await Promise.all(services.map(ping))), ...complete];
  };
  let running: Promise<Check[]> | undefined;
  // Everybody may ask, as often as they like: requests at the same time share one check.
  const checks = (): Promise<Check[]> => (running ??= check().finally(() => (running = undefined)));
  return { checks, isReady: async () => (await checks()).every(({ ok }) => ok) };
}

async function answers(client: Requester, service: Service): Promise<boolean> {
  const { id, deadlineMs } = pingOf(service);
  try {
    await client.request({ service, operation: id, body: Buffer.from('{}'), headers: {}, timeoutMs: deadlineMs });
    return true;
  } catch {
    return false;
  }
}

async function isComplete(file: string): Promise<Pick<Check, 'ok' | 'detail'>> {
  return access(file).then(
    () => ({ ok: true }),
    () => ({ ok: false, detail: 'the first start has not finished' }),
  );
}

/**
 * Serves `/livez`, which is also `/healthz`, and `/readyz`, without details; those are on the administration port.
 * Returns the paths.
 */
export function registerHealth(fastify: FastifyInstance, isReady: () => Promise<boolean>): string[] {
  const serve = (path: string, isGood: () => Promise<boolean>): string => {
    fastify.get(path, { config: { probe: true } }, async (_request, reply) => {
      const good = await isGood();
      return reply
        .code(good ? 200 : 503)
        .header('content-type', 'text/plain; charset=utf-8')
        .send(good ? 'ok' : 'unavailable');
    });
    return path;
  };
  const isAlive = (): Promise<boolean> => Promise.resolve(true);
  return [serve('/livez', isAlive), serve('/healthz', isAlive), serve('/readyz', isReady)];
}
