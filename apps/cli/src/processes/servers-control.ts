import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rm } from 'node:fs/promises';
import { startMark } from '@scriptorium/embedded/live-process';
import { jsonText, writePrivate } from '../installation/private-file.js';
import { isSecret } from '../supervisor/control.js';

/** The orders that the servers carry out, by name. Each gets the body of the request and returns the answer. */
export type Orders = Readonly<Record<string, (body: string) => Promise<object>>>;

export interface ServersControl {
  stop(): Promise<void>;
}

const longestBody = 16_384;

/**
 * Accepts orders about the data from other processes of the same user: on loopback, with a secret that is in the
 * private file `path` together with process id and port. A request is `POST /<name of the order>`. Orders are carried
 * out one after the other.
 */
export async function serveServersControl(path: string, orders: Orders): Promise<ServersControl> {
  const secret = randomBytes(24).toString('hex');
  let busy = false;
  const server = createServer((request, response) => {
    if (!isSecret(request.headers.authorization, secret)) return answer(response, 401, { error: 'wrong secret' });
    const order = Object.entries(orders).find(([name]) => request.url === `/${name}`)?.[1];
    if (request.method !== 'POST' || order === undefined) return answer(response, 404, { error: 'no such order' });
    if (busy) return answer(response, 409, { error: 'another backup or scavenge is under way' });
    busy = true;
    void bodyOf(request)
      .then(order)
      .then(
        (made) => answer(response, 200, made),
        (error: unknown) => answer(response, 500, { error: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => {
        busy = false;
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await writePrivate(path, jsonText({ pid: process.pid, pidStart: startMark(process.pid), port, secret }));
  return {
    async stop() {
      await rm(path, { force: true });
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > longestBody) throw new Error('the body is too long');
  }
  return text;
}
