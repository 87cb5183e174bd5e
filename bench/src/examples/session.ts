import { patientClient } from '../product/patient-client.js';
import type { Product } from '../product/product.js';
import type { Recorder } from './recorder.js';

const timeoutMs = 30_000;
const email = 'zoe@example.org';
const password = 'seven quiet lamps by the harbour';

/** Asks what only a browser with a session asks, as a new user. @throws Error for what is refused */
export async function askWithSession({ endpoint }: Recorder, product: Product): Promise<void> {
  const operator = patientClient(product);
  const origin = product.endpoint;
  await operator.createUser({ body: { email, displayName: 'Zoe', password, emailVerified: true } });
  const signedIn = await ask(endpoint, { method: 'POST', path: '/auth/login', body: { email, password } }, { origin });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .join('; ');
  await ask(endpoint, { method: 'GET', path: '/auth/session' }, { origin, cookie });
  const changed = { password: `${password}, again`, current: password };
  await ask(endpoint, { method: 'PUT', path: '/auth/password', body: changed }, { origin, cookie });
  await ask(endpoint, { method: 'POST', path: '/auth/logout' }, { origin, cookie });
}

interface Asked {
  method: string;
  path: string;
  body?: object;
}

async function ask(endpoint: string, { method, path, body }: Asked, more: Record<string, string>): Promise<Response> {
  const response = await fetch(`${endpoint}/v1${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}
