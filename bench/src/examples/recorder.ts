import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationList, type Operation, type OperationExample } from '@scriptorium/contracts';
import type { Cleanup } from '../processes/cleanup.js';
import { withoutSecrets } from './secrets.js';

/** Where a request was carried out: the parameters of its path, and as whom. */
export interface Place {
  params: Readonly<Record<string, string>>;
  authorization: string;
}

/** What a server between clients and the product has seen. */
export interface Recorder {
  endpoint: string;
  /** By the id of the operation. */
  seen: ReadonlyMap<string, readonly OperationExample[]>;
  places: readonly Place[];
}

/** The bytes of a request and of its answer. */
interface Bodies {
  body: Buffer;
  text: Buffer;
}

const timeoutMs = 60_000;
const keptOfOperation = 20;

/** Passes requests on to the product, and keeps the bodies of those that were carried out, without secrets. */
export async function startRecorder(cleanup: Cleanup, product: string): Promise<Recorder> {
  const seen = new Map<string, OperationExample[]>();
  const places: Place[] = [];
  const keep = ({ method = '', url = '', headers }: IncomingMessage, { body, text }: Bodies): void => {
    const found = operationAt(method, url);
    if (found === undefined) return;
    places.push({ params: found.params, authorization: headers.authorization ?? '' });
    const { id, secret, produces } = found.op;
    const all = seen.get(id) ?? [];
    const answer = produces === 'application/json' ? jsonIn('answer', text) : { answer: text.toString() };
    const exchange = withoutSecrets({ ...jsonIn('request', body), ...answer }, secret);
    if (all.length < keptOfOperation) seen.set(id, [...all, exchange]);
  };
  const server = createServer((incoming, outgoing) => {
    void pass(incoming, product).then(
      ({ status, headers, body, text }) => {
        if (status < 300) keep(incoming, { body, text });
        outgoing.writeHead(status, headers).end(text);
      },
      (error: unknown) => outgoing.writeHead(502).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanup.add(() => void server.close());
  cleanup.add(() => void server.closeAllConnections());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, places };
}

const hopByHop = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

async function pass(incoming: IncomingMessage, product: string) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const headers = Object.entries(incoming.headers).filter(([name]) => !hopByHop.has(name)) as [string, string][];
  const response = await fetch(product + (incoming.url ?? ''), {
    method: incoming.method ?? 'GET',
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body.length === 0 ? {} : { body }),
  });
  const text = Buffer.from(await response.arrayBuffer());
  const passedOn = [...response.headers].filter(([name]) => !hopByHop.has(name));
  return { status: response.status, headers: Object.fromEntries(passedOn), body, text };
}

function jsonIn(name: keyof OperationExample, bytes: Buffer): OperationExample {
  try {
    return { [name]: JSON.parse(bytes.toString()) as unknown };
  } catch {
    return {};
  }
}

const patterns = operationList
  .map((op) => ({ op, pattern: patternOf(op) }))
  // A path without parameters is also one with them: the first one means it.
  .sort((a, b) => a.op.path.split('{').length - b.op.path.split('{').length);

function patternOf({ path, rest }: Operation): RegExp {
  return new RegExp(`^/v1${path.replace(/\{(\w+)\}/g, (_, name) => `(?<${name}>${name === rest ? '.+' : '[^/]+'})`)}$`);
}

function operationAt(method: string, url: string): { op: Operation; params: Record<string, string> } | undefined {
  const path = url.split('?')[0] ?? '';
  for (const { op, pattern } of patterns) {
    const match = op.method === method ? pattern.exec(path) : null;
    if (match !== null) return { op, params: { ...match.groups } };
  }
  return undefined;
}
