import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { findEngine } from '../engine/binary.js';
import type { PoolLimits } from '../pool/pool.js';
import { settings as runtimeSettings } from '../settings.js';
import { type Runtime, startRuntime, type RuntimeParts } from '../start-runtime.js';
import type { Trace } from '../traces/trace.js';
import { parseConfig } from '@scriptorium/platform/config';

export const key = 'k'.repeat(40);
/** An address that nobody connects to: it stands for the server of a spec. */
export const somePublic = '93.184.215.14';

export interface RunOptions {
  integration?: string;
  version?: number;
  organization?: string;
  deadline?: number;
  repeat?: 'alone' | 'never';
  event?: object;
  environment?: object;
  headers?: Record<string, string>;
}

export interface RunResult {
  status: number;
  /** What the runtime says in an error. */
  error: { reason: string; message: string; field?: string } | undefined;
  retryAfter: string | null;
  call: string;
  answer: { status: number; headers: [string, string][]; body: Buffer };
}

export interface RuntimeRig {
  runtime: Runtime;
  /** Integrations and causes of processes that have ended. */
  ended: { integration: string; cause: string; rests: boolean }[];
  /** What was connected to. */
  connected: string[];
  /** What a name resolves to, one answer after the other, the last one for ever. */
  names: Map<string, string[][]>;
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a script, and returns its hash. */
  put(source: string): Promise<string>;
  run(hash: string, options?: RunOptions): Promise<RunResult>;
  trace(call: string, within?: number): Promise<Trace>;
  /** A server under a public name. */
  serve(listener: RequestListener, name?: string): Promise<string>;
  stop(): Promise<void>;
}

export interface RigOptions {
  settings?: Record<string, string>;
  limits?: Partial<PoolLimits>;
  parts?: Partial<RuntimeParts>;
}

/** A runtime on this machine, whose scripts can reach servers of the spec as if these were public. */
export async function startRuntimeRig({ settings = {}, limits, parts }: RigOptions = {}): Promise<RuntimeRig> {
  const ended: RuntimeRig['ended'] = [];
  const connected: string[] = [];
  const names = new Map<string, string[][]>();
  const servers: ReturnType<typeof createServer>[] = [];
  const network: RuntimeParts['network'] = {
    resolve(host) {
      const answers = names.get(host) ?? [[somePublic]];
      return Promise.resolve((answers.length > 1 ? answers.shift() : answers[0]) ?? []);
    },
    connect(address, port) {
      connected.push(address);
      return connect(port, address === somePublic ? '127.0.0.1' : address);
    },
  };
  const config = parseConfig(runtimeSettings, {
    RUNTIME_KEY: key,
    RUNTIME_PORT: '0',
    RUNTIME_API_ORIGIN: 'https://docs.example.com',
    ...settings,
  });
  const events = {
    request: () => undefined,
    ended: (end: RuntimeRig['ended'][number]) => void ended.push(end),
    outgoing: () => undefined,
    error: (error: unknown) => void process.stderr.write(`${String(error)}\n`),
  };
  const engine = await findEngine();
  const more = limits === undefined ? {} : { limits };
  const runtime = await startRuntime(config, { engine, events, network, ...more, ...parts });
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${runtime.address}${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
  return {
    runtime,
    ended,
    connected,
    names,
    ask,
    async put(source) {
      const hash = createHash('sha256').update(source).digest('hex');
      const { status } = await ask(`/scripts/${hash}`, { method: 'PUT', body: source });
      if (status !== 204) throw new Error(`The script was answered with ${status}`);
      return hash;
    },
    run: (hash, options) => runWith(ask, hash, options),
    async trace(call, within = 30_000) {
      const answer = await ask(`/traces/${call}?within=${within}`);
      if (answer.status !== 200) throw new Error(`The trace was answered with ${answer.status}`);
      return (await answer.json()) as Trace;
    },
    async serve(listener, name = 'public.example') {
      const server = createServer(listener);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://${name}:${(server.address() as AddressInfo).port}`;
    },
    async stop() {
      await runtime.stop();
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

async function runWith(ask: RuntimeRig['ask'], hash: string, options: RunOptions = {}): Promise<RunResult> {
  const { integration = 'one', version = 1, deadline = 20_000, repeat = 'never', organization } = options;
  const form = new FormData();
  form.set('event', JSON.stringify(options.event ?? { eventId: 'e', type: 'task' }));
  form.set('environment', JSON.stringify(options.environment ?? {}));
  const response = await ask(`/run/${hash}`, {
    method: 'POST',
    body: form,
    headers: {
      'scriptorium-integration': integration,
      'scriptorium-version': String(version),
      'scriptorium-deadline': String(deadline),
      'scriptorium-repeat': repeat,
      ...(organization === undefined ? {} : { 'scriptorium-organization': organization }),
      ...options.headers,
    },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const line = bytes.subarray(0, bytes.indexOf('\n') + 1).toString('utf8');
  const isAnswer = response.status === 200;
  return {
    status: response.status,
    error: isAnswer ? undefined : (JSON.parse(bytes.toString('utf8')) as { error: RunResult['error'] }).error,
    retryAfter: response.headers.get('retry-after'),
    call: response.headers.get('scriptorium-call') ?? '',
    answer: {
      ...(isAnswer
        ? (JSON.parse(line) as Pick<RunResult['answer'], 'status' | 'headers'>)
        : { status: 0, headers: [] }),
      body: bytes.subarray(line.length),
    },
  };
}
