import type { Answer, Send } from './requests.js';

/** Somebody with a token. */
export interface Person {
  id: string;
  email: string;
  token: string;
}

/** Creates a user with a token. @throws when the user or the token is refused */
export async function createPerson(
  send: (method: string, path: string, options?: Send) => Promise<Answer>,
  { name, email, operator }: { name: string; email: string; operator?: true },
): Promise<Person> {
  const body = { email, displayName: name, emailVerified: true, ...(operator && { operator }) };
  const user = await send('POST', '/users', { body });
  if (user.status !== 201) throw new Error(`creating ${name} answered ${user.status} ${JSON.stringify(user.body)}`);
  const id = String(user.body['id']);
  const token = await send('POST', `/users/${id}/tokens`, { body: { label: 'test' } });
  return { id, email, token: String(token.body['token']) };
}
