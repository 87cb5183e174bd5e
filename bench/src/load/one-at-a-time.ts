import type { LoadRequest } from './model.js';

/** Where requests go, and by whose token. */
export interface Target {
  endpoint: string;
  token: string;
}

/** Sends one request; `body` is the whole answer. Rejects when there is none. */
export async function sendOnce(
  { endpoint, token }: Target,
  { method, path, body }: LoadRequest,
): Promise<{ status: number; ok: boolean; body: Buffer }> {
  const response = await fetch(`${endpoint}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, ok: response.ok, body: Buffer.from(await response.arrayBuffer()) };
}

/** Sends one request after another; how long each took, in ms. Throws when one is refused. */
export async function timeEach(target: Target, requests: readonly LoadRequest[]): Promise<number[]> {
  const times: number[] = [];
  for (const request of requests) {
    const began = performance.now();
    const { ok, status } = await sendOnce(target, request);
    if (!ok) throw new Error(`${request.method} ${request.path} answered ${status}`);
    times.push(performance.now() - began);
  }
  return times;
}
