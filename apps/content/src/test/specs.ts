import { expect } from '@jest/globals';
import { eventually, type Rig } from './rig.js';

type Sender = Pick<Rig, 'send' | 'organization'>;

/** Gives an organization a specification, or another text of it, and waits until it is read; the newest version. */
export async function putSpec(
  { send, organization }: Sender,
  slug: string,
  given: object | string,
  more: { token?: string; organization?: string } = {},
): Promise<string> {
  const path = `/orgs/${more.organization ?? organization}/openapi/${slug}`;
  const by = more.token === undefined ? {} : { token: more.token };
  const before = await send('GET', path, by);
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const put = await send('PUT', path, { body: { source: { text } }, ...by });
  expect([200, 201]).toContain(put.status);
  await eventually(async () => {
    const { body } = await send('GET', path, by);
    return body['processingState'] === 'complete' && body['lastProcessedAt'] !== before.body['lastProcessedAt'];
  });
  return String((await send('GET', path, by)).body['lastVersion']);
}
