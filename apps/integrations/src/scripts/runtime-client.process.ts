import { Agent as PlainAgent, request as plain, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import * as z from 'zod';
import type { Envelope } from './envelope.process.js';
import { createReplicas, type Replica } from './replicas.process.js';
import {
  bodyOf,
  failureOf,
  resultOf,
  type Answered,
  type CallFailure,
  type ScriptAnswer,
} from './script-answer.process.js';

/** A call of a script. */
export interface ScriptCall {
  integration: string;
  version: number;
  organization: string;
  /** SHA-256 of the script. */
  script: string;
  /** The bytes of the script, for a runtime that does not have them. */
  source: () => Promise<Buffer | undefined>;
  envelope: Envelope;
  /** Headers `webhook-…`, which the script gets. */
  headers: Readonly<Record<string, string>>;
  deadlineMs: number;
  /** `alone`: made again where another call in its process may have been at fault. */
  repeat: 'alone' | 'never';
}

/** How a call ended; `trace` gets its trace, once. */
export type CallResult = ({ answer: ScriptAnswer } | { failure: CallFailure }) & {
  trace(withinMs: number): Promise<ScriptTrace | undefined>;
};

/** What a script did while it was called. */
const Trace = z.object({
  outcome: z.string(),
  durationMs: z.number(),
  logs: z.array(z.object({ at: z.number(), level: z.enum(['debug', 'info', 'warn', 'error']), message: z.string() })),
  exceptions: z.array(
    z.object({
      at: z.number(),
      name: z.string(),
      message: z.string(),
      stack: z.string().optional(),
    }),
  ),
  requests: z.array(
    z.object({ method: z.string(), host: z.string(), status: z.int(), refused: z.string().optional() }),
  ),
  truncated: z.boolean(),
});
export type ScriptTrace = z.output<typeof Trace>;

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string | number>;
  body?: Buffer;
  withinMs: number;
}

/** What is added to the deadline of a script for the way there and back. */
const onTheWayMs = 2_000;
const scriptWithinMs = 10_000;
/** Calls scripts in the runtime. */
export class RuntimeClient {
  readonly #url: URL | undefined;
  readonly #key: string;
  readonly #agent: PlainAgent | SecureAgent;
  readonly #replicas: ReturnType<typeof createReplicas>;

  constructor({ url, key, now }: { url: string | undefined; key: string; now: () => number }) {
    this.#url = url === undefined ? undefined : new URL(url);
    this.#key = key;
    const Agent = this.#url?.protocol === 'https:' ? SecureAgent : PlainAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 256 });
    this.#replicas = createReplicas(this.#url?.hostname ?? '', now);
  }

  /** Whether there is a runtime, as far as the settings say. */
  get isThere(): boolean {
    return this.#url !== undefined;
  }

  /** Calls a script once. A replica that cannot be reached has not begun, so that the next one is asked. */
  async run(call: ScriptCall): Promise<CallResult> {
    const failed: CallFailure = { reason: 'unreachable', message: 'No runtime of scripts can be reached' };
    for (const replica of await this.#replicasFor(call.integration)) {
      const answered = await this.#runAt(replica, call).catch((error: unknown) => failureOf(error, call.deadlineMs));
      if ('reason' in answered) {
        if (answered.reason !== 'unreachable') return { failure: answered, trace: noTrace };
        continue;
      }
      const id = String(answered.headers['scriptorium-call'] ?? '');
      const trace = (withinMs: number) =>
        id === '' ? noTrace() : this.#trace(replica, id, withinMs).catch(() => undefined);
      return { ...resultOf(answered), trace };
    }
    return { failure: failed, trace: noTrace };
  }

  stop(): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }

  async #replicasFor(integration: string): Promise<Replica[]> {
    if (this.#url === undefined) return [];
    return this.#replicas.for(integration).catch(() => []);
  }

  async #runAt(replica: Replica, call: ScriptCall): Promise<Answered> {
    const first = await this.#send(replica, runRequest(call));
    if (first.status !== 409) return first;
    const source = await call.source();
    if (source === undefined) return first;
    const body = { method: 'PUT', path: `/scripts/${call.script}`, body: source, withinMs: scriptWithinMs };
    const put = await this.#send(replica, { ...body, headers: { 'content-type': 'text/javascript' } });
    return put.status === 204 ? this.#send(replica, runRequest(call)) : put;
  }

  async #trace(replica: Replica, id: string, withinMs: number): Promise<ScriptTrace | undefined> {
    const path = `/traces/${id}?within=${withinMs}`;
    const { status, body } = await this.#send(replica, { method: 'GET', path, withinMs: withinMs + onTheWayMs });
    return status === 200 ? Trace.parse(JSON.parse(body.toString('utf8'))) : undefined;
  }

  async #send({ address, family }: Replica, { method, path, headers = {}, body, withinMs }: Sent): Promise<Answered> {
    if (this.#url === undefined) throw new Error('There is no runtime');
    const { protocol, host, hostname, port } = this.#url;
    const options: RequestOptions = {
      agent: this.#agent,
      host: address,
      family,
      port,
      method,
      path,
      headers: {
        host,
        authorization: `Bearer ${this.#key}`,
        'content-length': body?.length ?? 0,
        ...headers,
      },
      signal: AbortSignal.timeout(withinMs),
    };
    const isSecure = protocol === 'https:';
    const sent = isSecure ? secure({ ...options, servername: hostname }) : plain(options);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
      sent.end(body);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body: await bodyOf(response) };
  }
}

function runRequest(call: ScriptCall): Sent {
  const { integration, version, organization, deadlineMs, repeat, envelope, headers, script } = call;
  return {
    method: 'POST',
    path: `/run/${script}`,
    body: envelope.body,
    withinMs: deadlineMs + onTheWayMs,
    headers: {
      ...headers,
      'content-type': envelope.contentType,
      'scriptorium-integration': integration,
      'scriptorium-version': version,
      'scriptorium-organization': organization,
      'scriptorium-deadline': deadlineMs,
      'scriptorium-repeat': repeat,
    },
  };
}

function noTrace(): Promise<undefined> {
  return Promise.resolve(undefined);
}
