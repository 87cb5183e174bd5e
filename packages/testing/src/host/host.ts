import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInstallations, type HostOptions, type Installations } from './installations.js';

/**
 * Runs the host of rigs of a workspace: this process, with all services in it, and one with the servers. Specs ask it
 * for installations over HTTP (`host-protocol.ts`). It ends when the process that started it disconnects.
 */
export async function serveRigs(options: HostOptions): Promise<void> {
  const host = createInstallations(options);
  const server = createServer((request, response) => {
    void answer(host, request)
      .then(
        (body) => [200, JSON.stringify(body ?? null)] as const,
        (error: unknown) => [500, String(error instanceof Error ? error.stack : error)] as const,
      )
      // A connection that is used once is never closed by this side while a spec sends on it.
      .then(([status, body]) => response.writeHead(status, { connection: 'close' }).end(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('disconnect', () => {
    void host.stop().finally(() => process.exit());
  });
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

export { asOneClient } from '../one-client.js';

/**
 * `POST /installations`, `DELETE /installations/<namespace>`, and below it `POST …/replicas` and
 * `DELETE …/replicas/<id>`.
 * Only `open-rig.ts` asks.
 */
async function answer(host: Installations, request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = (chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())) as Record<string, unknown>;
  const [, , namespace, , replica] = (request.url ?? '').split('/');
  if (namespace === undefined) return host.open(body);
  if (request.method === 'POST') return host.startReplica(namespace, body['service'] as string | undefined);
  return replica === undefined ? host.close(namespace) : host.stopReplica(namespace, replica);
}
