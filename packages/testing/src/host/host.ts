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
      .then(([status, body]) => response.writeHead(status).end(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('disconnect', () => {
    void host.stop().finally(() => process.exit());
  });
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

export { asOneClient } from '../one-client.js';

async function answer(host: Installations, request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = (chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())) as Record<string, unknown>;
  const [, kind, namespace = '', , replica = ''] = (request.url ?? '').split('/');
  const action = [request.method, kind, ...(namespace && ['one']), ...(replica && ['replica'])].join(' ');
  if (action === 'POST installations') return host.open(body);
  if (action === 'DELETE installations one') return host.close(namespace);
  if (action === 'POST installations one') return host.startReplica(namespace, body['service'] as string | undefined);
  if (action === 'DELETE installations one replica') return host.stopReplica(namespace, replica);
  throw new Error(`There is no ${action}`);
}
