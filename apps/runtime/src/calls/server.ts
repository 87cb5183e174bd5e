import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readBody } from '../http/body.js';
import { createCall } from '../pool/active-call.js';
import type { Pool } from '../pool/pool.js';
import { blame, Refusal, type RefusalReason, refusalStatus } from '../refusal.js';
import type { TraceStore } from '../traces/trace-store.js';
import { run, type RunAnswer } from './run.js';
import { readEnvelope, readRunHeaders, type RunHeaders } from './run-request.js';
import { isHash, largestScript, type Scripts } from './scripts.js';
import { idHeader, sendAnswer, sendRefusal } from './send-answer.js';

export interface ServerDeps {
  key: string;
  isolation: 'version' | 'organization';
  /** Undefined where no engine runs. */
  pool: Pool | undefined;
  /** Why there is none. */
  unavailable: string;
  scripts: Scripts;
  traces: TraceStore;
  observe: (operation: string, outcome: 'ok' | RefusalReason, durationMs: number) => void;
  logError: (error: unknown) => void;
}

type Handle = (asked: Asked) => Promise<void>;

interface Asked {
  deps: ServerDeps;
  request: IncomingMessage;
  response: ServerResponse;
  /** The last part of the path. */
  name: string;
  query: URLSearchParams;
}

const largestEnvelope = 8 * 1024 * 1024;
const mostCalls = 128;
const longestWaitMs = 35_000;

const routes: readonly { operation: string; method: string; path: RegExp; handle: Handle }[] = [
  { operation: 'run', method: 'POST', path: /^\/run\/([^/]+)$/, handle: runScript },
  { operation: 'putScript', method: 'PUT', path: /^\/scripts\/([^/]+)$/, handle: putScript },
  { operation: 'getTrace', method: 'GET', path: /^\/traces\/([^/]+)$/, handle: getTrace },
];

/** The server for the service of integrations. Nobody else has its key. */
export function createRuntimeServer(deps: ServerDeps): Server {
  let calls = 0;
  return createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (request, response) => {
    const begun = performance.now();
    const url = new URL(request.url ?? '/', 'http://runtime');
    const found = routes.find(({ path }) => path.test(url.pathname));
    const observed = (outcome: 'ok' | RefusalReason): void =>
      deps.observe(found?.operation ?? 'unknown', outcome, performance.now() - begun);
    const answer = async (): Promise<void> => {
      if (!isKey(request.headers.authorization, deps.key))
        throw new Refusal('unauthenticated', 'The key of the runtime is needed');
      if (found === undefined) throw new Refusal('not_found', 'There is no such path');
      if (found.method !== request.method) throw new Refusal('method_not_allowed', `The method is ${found.method}`);
      if (calls >= mostCalls) throw new Refusal('runtime_busy', 'Too many calls are under way', { retryAfter: 1 });
      calls += 1;
      const name = found.path.exec(url.pathname)?.[1] ?? '';
      await found.handle({ deps, request, response, name, query: url.searchParams }).finally(() => (calls -= 1));
    };
    answer().then(
      () => observed('ok'),
      (error: unknown) => {
        const refusal = error instanceof Refusal ? error : new Refusal('unexpected', 'Unexpected error');
        if (refusal !== error) deps.logError(error);
        observed(refusal.reason);
        sendRefusal(response, refusal, refusalStatus[refusal.reason]);
      },
    );
  });
}

function isKey(given = '', key: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(`Bearer ${key}`));
}

async function runScript({ deps, request, response, name: hash }: Asked): Promise<void> {
  const { pool, traces, unavailable } = deps;
  if (pool === undefined) throw new Refusal('runtime_unavailable', unavailable);
  const wanted = readRunHeaders(request.headers);
  const key = keyOf(deps.isolation, hash, wanted);
  const script = await knownScript(deps.scripts, hash);
  const over = new AbortController();
  const late = setTimeout(
    () => over.abort(new Refusal('integration_timeout', `The script took longer than ${wanted.deadline} ms`)),
    wanted.deadline,
  );
  response.once('close', () => over.abort(new Refusal('integration_timeout', 'The caller has not waited')));
  try {
    const envelope = await readEnvelope(request.headers, await wholeBody(request, largestEnvelope));
    const id = randomUUID();
    response.setHeader(idHeader, id);
    const { integration, repeat } = wanted;
    const begin = () => {
      traces.open(id);
      return createCall(id, envelope.environment);
    };
    const call = { wanted: { key, integration, script }, begin, envelope, repeat, signal: over.signal };
    await send(response, await run(pool, (trace) => traces.put(trace), call), over.signal);
  } finally {
    clearTimeout(late);
  }
}

async function send(response: ServerResponse, answer: RunAnswer, signal: AbortSignal): Promise<void> {
  try {
    await sendAnswer(response, answer, signal);
    answer.done();
  } catch (error) {
    answer.done(signal.aborted ? 'timeout' : 'failed');
    if (signal.aborted) throw signal.reason;
    throw new Refusal('script_failed', 'The answer of the script was not complete, or too large', { cause: error });
  } finally {
    // A body that is not read to its end is given up.
    await answer.rest?.return?.().catch(() => undefined);
  }
}

async function knownScript(scripts: Scripts, hash: string): Promise<string> {
  if (!isHash(hash)) throw blame('path.hash', 'Must be a SHA-256 in hexadecimal form');
  const file = await scripts.find(hash);
  if (file === undefined) throw new Refusal('script_needed', 'The script has to be sent first');
  return file;
}

function keyOf(isolation: ServerDeps['isolation'], hash: string, wanted: RunHeaders): string {
  const { integration, version, organization } = wanted;
  if (isolation === 'version') return `${integration} ${version} ${hash}`;
  if (organization === undefined) throw blame('headers.scriptorium-organization', 'Is needed');
  return `${integration} ${version} ${hash} ${organization}`;
}

async function putScript({ deps, request, response, name: hash }: Asked): Promise<void> {
  if (!isHash(hash)) throw blame('path.hash', 'Must be a SHA-256 in hexadecimal form');
  await deps.scripts.put(hash, await wholeBody(request, largestScript));
  response.writeHead(204).end();
}

/** @throws Refusal `too_large` */
async function wholeBody(request: IncomingMessage, most: number): Promise<Buffer> {
  const body = await readBody(request, most);
  if (body === undefined) throw new Refusal('too_large', `The body is larger than ${most} bytes`, { field: 'body' });
  return body;
}

/** Waits for the trace of a call for at most `within` milliseconds. A trace is given once. */
async function getTrace({ deps, response, name, query }: Asked): Promise<void> {
  const within = Number(query.get('within') ?? '0');
  if (!Number.isInteger(within) || within < 0 || within > longestWaitMs)
    throw blame('query.within', `Must be a whole number from 0 to ${longestWaitMs}`);
  const trace = await deps.traces.take(name, within);
  if (trace === undefined) throw new Refusal('not_found', 'There is no trace of such a call');
  if (trace === 'pending') response.writeHead(202).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(trace));
}
