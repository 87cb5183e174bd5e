import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from '../observability/metrics.js';

/** The state of one part that a process needs, with details for operators. */
export interface Check {
  name: string;
  ok: boolean;
  /** What is not `ok` leaves the process ready: it does all else without this part. */
  degraded?: boolean | undefined;
  detail?: string | undefined;
}

/** A running app of a process. */
export interface App {
  name: string;
  /** The state of each part. Never throws. */
  checks(): Promise<Check[]>;
  /** Stops the app: it accepts no new work, finishes running work, and releases everything. */
  stop(): Promise<void>;
}

export interface AdminServer {
  port: number;
  stop(): Promise<void>;
}

/**
 * Serves `/livez`, `/readyz` with every check, and `/metrics` for operators, on an address of its own that is not
 * public.
 */
export async function serveAdmin(
  options: { host: string; port: number },
  registry: Registry,
  apps: () => readonly App[],
): Promise<AdminServer> {
  const server = createServer((request, response) => {
    const failed = { status: 500, type: 'text/plain', body: 'unexpected error\n' };
    void answer(request.url ?? '/', registry, apps())
      .catch(() => failed)
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
        response.end(body);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: () => close(server) };
}

async function answer(url: string, registry: Registry, apps: readonly App[]) {
  const path = url.split('?')[0];
  if (path === '/livez') return { status: 200, type: 'text/plain', body: 'ok\n' };
  if (path === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() };
  if (path !== '/readyz') return { status: 404, type: 'text/plain', body: 'not found\n' };
  const reports = await Promise.all(apps.map(async (app) => ({ app: app.name, checks: await app.checks() })));
  const ready = reports.length > 0 && reports.every(({ checks }) => checks.every(isEnough));
  return { status: ready ? 200 : 503, type: 'application/json', body: JSON.stringify({ ready, apps: reports }) };
}

function isEnough({ ok, degraded = false }: Check): boolean {
  return ok || degraded;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
