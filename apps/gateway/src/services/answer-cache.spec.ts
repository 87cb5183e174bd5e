import { describe, expect, it } from '@jest/globals';
import { withAnswerCache, type ServiceAnswer, type ServiceCall } from './client.js';

const call = (input: object, more: Partial<ServiceCall> = {}): ServiceCall => ({
  service: 'content',
  operation: 'listPages',
  body: Buffer.from(JSON.stringify(input)),
  headers: { 'request-id': 'r' },
  timeoutMs: 1_000,
  reads: true,
  ...more,
});

/** A service that says these digests one after the other, and sends bytes only to who does not have them. */
function service(...digests: (string | undefined)[]) {
  const told: (string | undefined)[] = [];
  const client = withAnswerCache({
    request({ headers }): Promise<ServiceAnswer> {
      const digest = digests[told.length];
      told.push(headers['known']);
      const body = Buffer.from(digest !== undefined && digest === headers['known'] ? '' : `of ${digest}`);
      return Promise.resolve({ body, headers: { etag: 'e', ...(digest === undefined ? {} : { digest }) } });
    },
  });
  const ask = async (given: ServiceCall): Promise<string> => Buffer.from((await client.request(given)).body).toString();
  return { told, ask };
}

describe('large answers', () => {
  it('are sent once, as long as the service would give the same', async () => {
    const { told, ask } = service('a', 'a', 'b', 'b');
    const answers: string[] = [];
    for (let n = 0; n < 4; n += 1) answers.push(await ask(call({ space: 's' })));
    expect(answers).toEqual(['of a', 'of a', 'of b', 'of b']);
    expect(told).toEqual([undefined, 'a', 'a', 'b']);
  });

  it('are those of one operation and one input', async () => {
    const { told, ask } = service('a', 'a', 'a');
    await ask(call({ space: 's' }));
    await ask(call({ space: 't' }));
    await ask(call({ space: 's' }, { operation: 'listFiles' }));
    expect(told).toEqual([undefined, undefined, undefined]);
  });

  it('are asked for as before when the last one is gone in the meantime', async () => {
    const { told, ask } = service('a', undefined, 'a');
    await ask(call({ space: 's' }));
    expect(await ask(call({ space: 's' }))).toBe('of undefined');
    expect(await ask(call({ space: 's' }))).toBe('of a');
    expect(told).toEqual([undefined, 'a', 'a']);
  });
});

it('changes, and reads with a long input, are asked for as before', async () => {
  const { told, ask } = service('a', 'a', 'a', 'a');
  for (let n = 0; n < 2; n += 1) await ask(call({ space: 's' }, { reads: false }));
  for (let n = 0; n < 2; n += 1) await ask(call({ text: 'x'.repeat(5_000) }));
  expect(told).toEqual([undefined, undefined, undefined, undefined]);
});
