import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Findings } from './findings.js';

export interface CallRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From `/v1` on. */
  path: string;
  body?: object;
  key?: string;
  /** How long an answer can take, where that is more than the deadline of most operations. */
  answerMs?: number;
}

/**
 * `done`: the server said so. `refused`: it said no, and nothing was changed. `unknown`: it may have been done, or may
 * still be within `lateMs`. `unsent`: nobody was there to take it.
 */
export type Outcome =
  | { kind: 'done'; status: number; body: unknown }
  | { kind: 'refused'; status: number; reason: string }
  | { kind: 'unknown'; why: string }
  | { kind: 'unsent' };

/** Deadline of most operations, and a little more: what was not answered has happened by then, or never will. */
export const lateMs = 12_000;

const usualAnswerMs = 15_000;
const settleMs = 90_000;
const connectionTries = 5;

export interface Caller {
  call(request: CallRequest): Promise<Outcome>;
  /** Sends a write with its key again and again until the server says what became of it, or 90 s are over. */
  settle(request: CallRequest & { key: string }): Promise<Outcome>;
  close(): Promise<void>;
}

/**
 * Calls the API as clients do, the gateways in turn; a read whose connection ends without an answer goes to the next
 * one. Every answer that must never be is reported.
 */
export function createCaller(
  endpoints: readonly string[],
  token: string,
  connections: number,
  findings: Findings,
): Caller {
  const pools = endpoints.map(
    (endpoint) =>
      new Pool(endpoint, {
        connections,
        pipelining: 1,
        connectTimeout: 2_000,
        headersTimeout: usualAnswerMs,
        bodyTimeout: usualAnswerMs,
      }),
  );
  let turn = 0;
  const call = async ({ method, path, body, key, answerMs = usualAnswerMs }: CallRequest): Promise<Outcome> => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    turn += 1;
    for (let tries = 1, at = turn; ; tries += 1, at += 1) {
      try {
        const response = await (pools[at % pools.length] as Pool).request({
          method,
          path,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
          headersTimeout: answerMs,
        });
        const text = await response.body.text();
        return judge(`${method} ${path}`, response.statusCode, text, findings);
      } catch (error) {
        if (pools.length === 1 || method !== 'GET' || tries > connectionTries || !isCut(error as Cut))
          return failed(error as Cut, `${method} ${path}`, { findings, answerMs });
        findings.count('reads sent to another gateway');
      }
    }
  };
  return {
    call,
    async settle(request) {
      const end = performance.now() + settleMs;
      let everUnknown = false;
      for (let turn = 1; ; turn += 1) {
        const outcome = await call(request);
        if (outcome.kind === 'done') {
          if (everUnknown) findings.count('writes settled by their key');
          return outcome;
        }
        // Once its fate was unknown, a refusal may come from a read model that is behind: only time or success tells.
        const final = outcome.kind === 'refused' && !everUnknown && outcome.reason !== 'conflict';
        if (final || performance.now() > end)
          return everUnknown ? { kind: 'unknown', why: 'not settled in time' } : outcome;
        everUnknown ||= outcome.kind === 'unknown';
        await delay(Math.min(50 * turn, 500));
      }
    },
    close: async () => void (await Promise.all(pools.map((pool) => pool.destroy()))),
  };
}

function judge(what: string, status: number, text: string, findings: Findings): Outcome {
  findings.count(`answers ${status}`);
  if (status >= 200 && status < 300) return { kind: 'done', status, body: text === '' ? undefined : JSON.parse(text) };
  const { reason = '', message = '', requestId = '' } = errorOf(text);
  if (status === 503) {
    findings.count(`unavailable: ${message}`);
    return { kind: 'unknown', why: message };
  }
  if (status >= 500 || status === 401 || status === 403)
    findings.report(`${what} was answered ${status} ${reason}: ${message} (request ${requestId})`);
  if (status >= 500) return { kind: 'unknown', why: message };
  if (status !== 409 && status !== 404)
    findings.report(`${what} was refused with ${status} ${reason}: ${text.slice(0, 300)}`);
  return { kind: 'refused', status, reason };
}

function errorOf(text: string): { reason?: string; message?: string; requestId?: string } {
  try {
    return (JSON.parse(text) as { error?: { reason?: string; message?: string; requestId?: string } }).error ?? {};
  } catch {
    return { message: text.slice(0, 300) };
  }
}

type Cut = Error & { code?: string };

/** Whether a connection was refused or ended without an answer: clients repeat reads then. */
function isCut({ code = '' }: Cut): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code);
}

function failed(error: Cut, what: string, { findings, answerMs }: { findings: Findings; answerMs: number }): Outcome {
  const code = error.code ?? error.name;
  findings.count(`no answer: ${code}`);
  if (code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT') return { kind: 'unsent' };
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    findings.report(`${what} had no answer within ${answerMs} ms, which is beyond its deadline`);
  return { kind: 'unknown', why: code };
}
