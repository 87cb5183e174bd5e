import { bootstrapInstallation } from '@scriptorium/contracts';
import { connectMessaging } from '@scriptorium/messaging';
import type { ServiceConfig } from '@scriptorium/platform';
import { newPersonalToken } from '@scriptorium/platform/token-secret';
import type { Answer, Send } from './requests.js';

/** Somebody with a token. */
export interface Person {
  id: string;
  email: string;
  token: string;
}

/** Makes the first user, an operator, and the first organization. */
export async function bootstrap(config: ServiceConfig): Promise<{ owner: Person; organization: string }> {
  const messaging = await connectMessaging({ url: config.NATS_URL, name: 'test', namespace: config.NAMESPACE });
  const secret = newPersonalToken();
  const email = 'owner@example.com';
  const { body } = await messaging.client().request({
    service: 'identity',
    operation: bootstrapInstallation.id,
    body: Buffer.from(
      JSON.stringify({
        user: { email, displayName: 'Olga Owner' },
        organization: { title: 'First Organization' },
        token: { id: secret.id, hash: secret.hash, label: 'first' },
      }),
    ),
    headers: {},
    timeoutMs: 30_000,
  });
  await messaging.close();
  const { user, organization } = bootstrapInstallation.response.parse(JSON.parse(new TextDecoder().decode(body)));
  return { owner: { id: user.id, email, token: secret.token }, organization: organization.id };
}

/** Creates a user with a token. */
export async function createPerson(
  send: (method: string, path: string, options?: Send) => Promise<Answer>,
  name: string,
): Promise<Person> {
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.org`;
  const user = await send('POST', '/users', { body: { email, displayName: name, emailVerified: true } });
  if (user.status !== 201) throw new Error(`creating ${name} answered ${user.status} ${JSON.stringify(user.body)}`);
  const id = String(user.body['id']);
  const token = await send('POST', `/users/${id}/tokens`, { body: { label: 'test' } });
  return { id, email, token: String(token.body['token']) };
}
