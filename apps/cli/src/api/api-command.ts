import { readFile } from 'node:fs/promises';
import { patienceMs } from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
import { StopError } from '../stop-error.js';

/** The options of the command. */
export interface APIOptions {
  data?: string;
  pick?: string;
}

export interface APIInput extends CommandContext, APIOptions {
  method: string;
  path: string;
}

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * `scriptorium api`: calls one operation, and prints its answer. Fields that the installation does not know are
 * refused, as by the typed client.
 * @throws ConfigError for an invalid setting; StopError for arguments that are not valid, when there is no
 * installation, when it refuses, and for a field to pick that the answer has not
 */
export async function apiCommand(input: APIInput): Promise<void> {
  const { data, pick, answer } = input;
  const method = input.method.toUpperCase();
  if (!methods.has(method)) throw new StopError(`${input.method} is no method; there are ${[...methods].join(', ')}`);
  if (!input.path.startsWith('/')) throw new StopError(`the path must begin with /, as /user does: ${input.path}`);
  const body = data === undefined ? undefined : await bodyOf(method, data);
  const { endpoint, token, fetch: send = fetch } = await addressOf(input.environment);
  const url = `${endpoint}${input.path.startsWith('/v1/') ? '' : '/v1'}${input.path}`;
  const response = await send(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      prefer: 'handling=strict',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(patienceMs),
    ...(body !== undefined && { body }),
  }).catch(explain);
  const text = await response.text();
  const value = jsonIn(text);
  if (!response.ok) throw new StopError(`the installation refused: ${refusalIn(value, response.status)}`);
  if (pick !== undefined) {
    const picked = fieldOf(value, pick);
    return answer(picked, `${typeof picked === 'string' ? picked : JSON.stringify(picked)}\n`);
  }
  if (text !== '') answer(value ?? text, value === undefined ? text : `${JSON.stringify(value, undefined, 2)}\n`);
}

/** @throws StopError for what is no JSON, and for a GET, which has no body, before anything is sent */
async function bodyOf(method: string, data: string): Promise<string> {
  if (method === 'GET') throw new StopError('GET takes no --data');
  const text = data.startsWith('@') ? await readFile(data.slice(1), 'utf8').catch(() => undefined) : data;
  if (text === undefined) throw new StopError(`--data: there is no file ${data.slice(1)}`);
  if (jsonIn(text) === undefined) throw new StopError('--data is not JSON');
  return text;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface Refusal {
  message: string;
  reason: string;
  details: { path: string; message: string }[];
}

function refusalIn(value: unknown, status: number): string {
  const { error } = (value ?? {}) as { error?: Partial<Refusal> };
  if (error?.message === undefined) return `it answered ${status}`;
  const { message, reason = '', details = [] } = error;
  // The message is that of the first one.
  const more = details.length < 2 ? [] : details.map((detail) => `\n  ${detail.path}: ${detail.message}`);
  return `${message} (${status} ${reason})${more.join('')}`;
}

/** A field of an answer. `path`: names and places of lists with dots between them. */
function fieldOf(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      throw new StopError(`--pick: the answer has no ${path}`);
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
