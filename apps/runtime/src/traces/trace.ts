import type { OutgoingRequest } from '../egress/egress.js';
import type { Mask } from './secrets.js';

/** What is told about a call after it. */
export interface Trace {
  call: string;
  /** `ok`, `exception` or another word of the engine; `blocked`, `out_of_memory`, `timeout`, `unfinished`, `failed`. */
  outcome: string;
  /** From the arrival of the call to the end of what the script does after its answer. */
  durationMs: number;
  logs: TraceLog[];
  exceptions: TraceException[];
  /** Requests that the script has sent, told only if no other call was in its process at the time. */
  requests: OutgoingRequest[];
  /** Something was left out. */
  truncated: boolean;
}

export interface TraceLog {
  at: number;
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
}

export interface TraceException {
  at: number;
  name: string;
  message: string;
  stack?: string;
}

/** A trace before its secrets are masked and its length is bounded. */
export interface RawTrace extends Pick<Trace, 'outcome' | 'truncated' | 'exceptions'> {
  logs: { at: number; level: string; message: string }[];
}

const mostLines = 200;
const mostCharacters = 16 * 1024;
const mostExceptions = 10;
const mostRequests = 100;

/** Masks first and then cuts, so that no part of a secret is left at the end. */
export function boundTrace(raw: RawTrace, mask: Mask, more: Pick<Trace, 'call' | 'durationMs' | 'requests'>): Trace {
  let left = mostCharacters;
  let isCut = false;
  const bounded = (text: string): string => {
    const whole = mask(text);
    const kept = whole.slice(0, left).toWellFormed();
    isCut ||= kept.length < whole.length;
    left -= kept.length;
    return kept;
  };
  const exceptions = raw.exceptions.slice(0, mostExceptions).map(({ at, name, message, stack }) => ({
    at,
    name: bounded(name),
    message: bounded(message),
    ...(stack === undefined ? {} : { stack: bounded(stack) }),
  }));
  const logs: TraceLog[] = [];
  for (const { at, level, message } of raw.logs.slice(0, mostLines)) {
    if (left <= 0) break;
    logs.push({ at, level: levelOf(level), message: bounded(message) });
  }
  const requests = more.requests.slice(0, mostRequests).map((one) => ({ ...one, host: mask(one.host) }));
  const isLess =
    isCut ||
    logs.length < raw.logs.length ||
    exceptions.length < raw.exceptions.length ||
    requests.length < more.requests.length;
  return { ...more, outcome: raw.outcome, exceptions, logs, requests, truncated: raw.truncated || isLess };
}

function levelOf(level: string): TraceLog['level'] {
  return level === 'debug' || level === 'warn' || level === 'error' ? level : 'info';
}
