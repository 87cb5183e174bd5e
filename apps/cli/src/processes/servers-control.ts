import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAbsolute } from 'node:path';
import { rm } from 'node:fs/promises';
import { startMark } from '../installation/live-process.js';
import { jsonText, writePrivate } from '../installation/private-file.js';
import { isSecret } from '../supervisor/control.js';

/** Copies what the servers hold into an empty folder; answers what the caller shall know of it. */
export type TakeBackup = (folder: string) => Promise<object>;

export interface ServersControl {
  stop(): Promise<void>;
}

const longestPath = 16_384;

/**
 * Takes the order to copy the data, from other processes of the same user: on loopback, by a secret that stands in the
 * private file `path` beside number and port. `POST /backup` with the folder's absolute path as its body; one at a time.
 */
export async function serveServersControl(path: string, takeBackup: TakeBackup): Promise<ServersControl> {
  const secret = randomBytes(24).toString('hex');
  let busy = false;
  const server = createServer((request, response) => {
    if (!isSecret(request.headers.authorization, secret)) return answer(response, 401, { error: 'wrong secret' });
    if (request.method !== 'POST' || request.url !== '/backup') return answer(response, 404, { error: 'no such order' });
    if (busy) return answer(response, 409, { error: 'another backup is being made' });
    busy = true;
    void bodyOf(request).then(takeBackup).then(
      (made) => answer(response, 200, made),
      (error: unknown) => answer(response, 500, { error: error instanceof Error ? error.message : String(error) }),
    ).finally(() => {
      busy = false;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  await writePrivate(path, jsonText({ pid: process.pid, pidStart: startMark(process.pid), port: (server.address() as AddressInfo).port, secret }));
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
    if (text.length > longestPath) throw new Error('the path is too long');
  }
  if (!isAbsolute(text)) throw new Error('the path is not absolute');
  return text;
}
