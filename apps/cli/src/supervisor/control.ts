import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stops the installation's own copy of a service. Returns the function that starts it again. */
export type BeginTakeover = (service: string) => Promise<() => Promise<void>>;

export interface Control {
  port: number;
  secret: string;
  stop(): Promise<void>;
}

const path = /^\/dev-takeover\/([a-z-]{1,32})$/;

/**
 * Accepts orders of other processes of the same user, on loopback and with a secret that is in a private file. A dev
 * takeover lasts as long as the connection of its request, so it ends however the developer's process ends.
 */
export async function serveControl(begin: BeginTakeover): Promise<Control> {
  const secret = randomBytes(24).toString('hex');
  const server = createServer((request, response) => void answer(request, response, secret, begin));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    secret,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
  begin: BeginTakeover,
): Promise<void> {
  if (!isSecret(request.headers.authorization, secret)) return refuse(response, 401, 'wrong secret');
  const service = path.exec(request.url ?? '')?.[1];
  if (request.method !== 'POST' || service === undefined) return refuse(response, 404, 'no such order');
  const closed = new Promise<void>((resolve) => void response.once('close', resolve));
  try {
    const end = await begin(service);
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('taken over\n');
    await closed;
    await end();
  } catch (error) {
    refuse(response, 409, (error as Error).message);
  }
}

function refuse(response: ServerResponse, status: number, why: string): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'text/plain' });
  response.end(`${why}\n`);
}

/** Whether a header contains the secret. The comparison takes the same time for every value. */
export function isSecret(header: string | undefined, secret: string): boolean {
  const given = Buffer.from(header ?? '');
  const expected = Buffer.from(`Bearer ${secret}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
