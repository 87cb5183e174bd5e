import { GitBookAPI } from '@gitbook/api';
import { GitBookAPI as NewestAPI } from '@gitbook/api-0.202';
import type { Observer } from './observer.js';
import type { ClientVersion } from './reference.js';

/**
 * Calls an operation of the client by its id, with the arguments of its method: those of the path, then the body, then
 * the query. Answers the data. The typings of the client cannot be read by a module of Node, so that nothing of them is used.
 */
export type Call = (id: string, ...args: unknown[]) => Promise<unknown>;

type Method = (...args: unknown[]) => Promise<{ data: unknown }>;

const classes = { '0.146': GitBookAPI, '0.202': NewestAPI } as const;

/** The client of a version that somebody uses. Operations which it does not have are called by one that has them. */
export function officialClient(endpoint: string, authToken: string, observers: readonly Observer[]): Call {
  return async (id, ...args) => {
    const observer = observers.find((one) => one.has(id));
    if (observer === undefined) throw new Error(`No client has ${id}`);
    const send: typeof fetch = async (input, init) => {
      const response = await fetch(input, { ...init, signal: AbortSignal.timeout(60_000) });
      const text = await response.clone().text();
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
      observer.take(id, body, { status: response.status, headers: response.headers, text });
      return response;
    };
    const client = create(observer.version, { endpoint, authToken, serviceBinding: { fetch: send } });
    const { data } = await methodOf(client, id)(...args);
    return data;
  };
}

function create(version: ClientVersion, options: ConstructorParameters<typeof GitBookAPI>[0]): object {
  return new classes[version](options);
}

/** The client has most of its operations in groups, and writes abbreviations in their names in its own way. */
function methodOf(client: object, id: string): Method {
  const wanted = id.toLowerCase();
  for (const group of [client, ...(Object.values(client) as unknown[])]) {
    if (typeof group !== 'object' || group === null) continue;
    const found: unknown = Object.entries(group).find(([name]) => name.toLowerCase() === wanted)?.[1];
    if (typeof found === 'function') return found as Method;
  }
  throw new Error(`The client has no ${id}`);
}

/** The text at a place of an answer, as `items.0.id`. */
export function textAt(answer: unknown, path: string): string {
  const found = path
    .split('.')
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], answer);
  if (typeof found !== 'string') throw new Error(`No text at ${path} of ${JSON.stringify(answer).slice(0, 500)}`);
  return found;
}

export const idOf = (answer: unknown): string => textAt(answer, 'id');
