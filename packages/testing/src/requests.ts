import { operationList, type Operation } from '@scriptorium/contracts';

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

/** A response body as tests read it; its shape was checked against the contract. */
export interface Body extends Record<string, unknown> {
  items: Body[];
  error: { code: number; reason: string; message: string; details?: { path: string }[] };
}

/** What stands in a body at a dotted path. */
export function get(body: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);
}

export interface Send {
  token?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends requests to a gateway. A 2xx body must fit the contract. */
export function sender(address: string) {
  return async (method: string, path: string, options: Send): Promise<Answer> => {
    const { token, body } = options;
    const response = await fetch(`${address}/v1${path}`, {
      method,
      headers: {
        ...(token == null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    // An answer that is a text stays one.
    const isJSON = response.headers.get('content-type')?.includes('json') === true;
    const parsed = (text === '' ? undefined : isJSON ? JSON.parse(text) : text) as Body;
    if (response.ok) checkAgainstContract(method, path, parsed);
    return { status: response.status, headers: response.headers, body: parsed };
  };
}

const routes = operationList.map((op) => {
  const pattern = op.path.replace(/\{(\w+)\}/g, (_, name: string) => (name === op.rest ? '.+' : '[^/]+'));
  return { op, pattern: new RegExp(`^${pattern}$`) };
});

function checkAgainstContract(method: string, path: string, body: unknown): void {
  const op: Operation | undefined = routes.find(
    ({ op: { method: m }, pattern }) => m === method && pattern.test(path.split('?')[0] ?? ''),
  )?.op;
  if (op === undefined) throw new Error(`No operation for ${method} ${path}`);
  if (op.response === undefined) {
    if (body !== undefined) throw new Error(`${op.id} answered a body`);
    return;
  }
  const checked = op.response.safeParse(body);
  if (!checked.success) throw new Error(`${op.id} answered against its contract: ${checked.error.message}`);
}
