import { parseConfig } from '@scriptorium/platform/config';
import { findEngine, startRuntime, type Runtime } from '@scriptorium/runtime';
import { settings } from '@scriptorium/runtime/settings';
import { once } from 'node:events';
import { createServer, request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { createPeople, newName, type IntegrationRig } from './integration-rig.js';
import { officialScript } from './official-script.js';
import { startRig, type Rig } from './own-rig.js';

/** What a public address has answered. */
export interface EndpointAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: number;
}

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer | AsyncIterable<Buffer>;
}

/** A request that a script sends to `https://docs.example/stub/…`, in the place of a service of somebody else. */
export type Stub = (path: string, body: string) => object | undefined;

/** A rig with a runtime, whose scripts reach the API. */
export interface EndpointRig extends IntegrationRig<Rig> {
  /** Asks a public address, as a browser does that finds the gateway under every name. */
  ask(url: string, sent?: Sent): Promise<EndpointAnswer>;
  /** Publishes an integration made with the official runtime; `source` returns what `createIntegration` made. */
  begin(source: string, more?: object, installed?: object): Promise<Installed>;
  stub: { answer: Stub };
  stopRuntime(): Promise<void>;
  stop(): Promise<void>;
}

export interface Installed {
  name: string;
  path: string;
  id: string;
  /** Public addresses of the installation. */
  endpoint: string;
  content: string;
}

const key = 'k'.repeat(40);
const ignore = (): void => undefined;

export async function startEndpointRig(variables: Record<string, string> = {}): Promise<EndpointRig> {
  const api = { url: '' };
  const stub: EndpointRig['stub'] = { answer: () => undefined };
  const relay = createServer((request, response) => {
    if (request.url?.startsWith('/stub/') === true)
      void text(request).then((body) => response.end(JSON.stringify(stub.answer(request.url ?? '', body))));
    else void relayed(api.url, request).then(([status, body]) => response.writeHead(status, json).end(body));
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const runtime = await begin(`http://127.0.0.1:${(relay.address() as AddressInfo).port}`);
  const rig = await startRig({ RUNTIME_URL: runtime.address, RUNTIME_KEY: key, ...variables });
  api.url = rig.endpoint;
  const world = await createPeople(rig);
  return {
    ...world,
    stub,
    ask: (url, sent) => ask(url, rig.endpointsPort, sent),
    async begin(source, more = {}, installed = {}) {
      const name = newName();
      await world.publish({ script: officialScript(source), ...more }, name);
      const path = await world.install(name, installed);
      const { urls } = await world.done('GET', path);
      const { publicEndpoint: endpoint, publicContentEndpoint: content } = urls as Record<string, string>;
      return { name, path, id: path.split('/').at(-1) ?? '', endpoint: endpoint ?? '', content: content ?? '' };
    },
    stopRuntime: () => runtime.stop(),
    async stop() {
      await rig.stop();
      await runtime.stop();
      relay.close();
    },
  };
}

const json = { 'content-type': 'application/json' };

async function begin(apiUrl: string): Promise<Runtime> {
  const own = {
    RUNTIME_KEY: key,
    RUNTIME_PORT: '0',
    RUNTIME_API_ORIGIN: 'https://docs.example',
    RUNTIME_API_URL: apiUrl,
  };
  return startRuntime(parseConfig(settings, own), {
    engine: await findEngine(),
    events: { request: ignore, ended: ignore, outgoing: ignore, error: ignore },
  });
}

async function relayed(api: string, request: IncomingMessage): Promise<[number, string]> {
  const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
  const body = await text(request);
  const answer = await fetch(`${api}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': type },
    ...(body === '' ? {} : { body }),
  });
  return [answer.status, await answer.text()];
}

async function ask(
  url: string,
  port: number,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<EndpointAnswer> {
  const { host, pathname, search } = new URL(url);
  const outgoing = send({
    host: '127.0.0.1',
    port,
    method,
    path: `${pathname}${search}`,
    headers: { host, ...headers },
  });
  if (typeof body === 'string' || Buffer.isBuffer(body)) outgoing.setHeader('content-length', Buffer.byteLength(body));
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) outgoing.end(body);
  else {
    for await (const chunk of body) if (!outgoing.destroyed) outgoing.write(chunk);
    outgoing.end();
  }
  const [response] = await answered;
  const bytes = await buffer(response);
  const { statusCode: status = 0, headers: got } = response;
  return { status, headers: got, body: bytes.toString('utf8'), bytes: bytes.length };
}
