import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { headers as createHeaders } from '@nats-io/transport-node';
import { AppError } from '@scriptorium/contracts';
import { dial } from './connection.js';
import { type Messaging, type ServedRequest } from './index.js';
import { bytes, echo, type Fixture, FOREVER, startFixture, text, until } from './test/fixture.js';

let fixture: Fixture;
let gateway: Messaging;
let service: Messaging;

beforeAll(async () => {
  fixture = await startFixture();
  gateway = await fixture.connect('gateway');
  service = await fixture.connect('service');
});
afterAll(() => fixture.stop());

const call = (name: string, operation: string, body = '', timeoutMs = FOREVER, headers = {}) =>
  gateway.client().request({ service: name, operation, body: bytes(body), headers, timeoutMs });

const refusal = async (answer: Promise<unknown>): Promise<AppError> => {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`no AppError: ${String(error)}`);
  return error;
};

describe('a request', () => {
  it('reaches the operation with body and headers, and gets an answer with both', async () => {
    let seen: ServedRequest | undefined;
    await service.serve('mirror', {
      handle: (request) => {
        seen = request;
        return Promise.resolve({ body: request.body, headers: { etag: 'a%b', 'x-note': ' two\r\nlines ' } });
      },
    });
    const principal = JSON.stringify({ id: 'ü1', note: 'line\nfeed 100%' });
    const before = Date.now();
    const answer = await call('mirror', 'listTeams', 'hello', 60_000, { requestId: 'r-1', principal });
    expect(text(answer.body)).toBe('hello');
    expect({ ...answer.headers }).toEqual({ etag: 'a%b', 'x-note': ' two\r\nlines ' });
    expect(seen?.operation).toBe('listTeams');
    expect({ ...seen?.headers }).toEqual({ requestId: 'r-1', principal });
    expect(seen?.deadline).toBeGreaterThan(before);
    expect(seen?.deadline).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  it('gets its own answer among 1,000 concurrent ones, which two replicas share evenly', async () => {
    const other = await fixture.connect('other');
    const shares = [0, 0];
    for (const [at, messaging] of [service, other].entries()) {
      await messaging.serve('pair', {
        handle: async ({ body }) => {
          shares[at] = (shares[at] ?? 0) + 1;
          await Promise.resolve();
          return { body };
        },
      });
    }
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, at) => call('pair', 'echo', `${at}`)));
    expect(answers.map((answer) => text(answer.body))).toEqual(Array.from({ length: 1000 }, (_, at) => `${at}`));
    expect(Math.min(...shares)).toBeGreaterThan(400);
  });

  it('is refused immediately when no replica runs', async () => {
    expect(await refusal(call('nobody', 'get'))).toMatchObject({ reason: 'unavailable', retryAfter: 1 });
  });

  it('is not sent with an operation name that is not a subject token', async () => {
    await expect(call('a.b', 'get')).rejects.toThrow(TypeError);
    await expect(call('a', '*')).rejects.toThrow(TypeError);
  });
});

describe('errors', () => {
  it('keep their reason, details, message and retry time', async () => {
    const details = [{ path: 'body.title', message: 'is too long' }];
    await service.serve('refuses', {
      handle: () => Promise.reject(new AppError('rate_limited', details, { message: 'Slow\ndown', retryAfter: 7 })),
    });
    const error = await refusal(call('refuses', 'get'));
    expect(error).toMatchObject({ reason: 'rate_limited', message: 'Slow\ndown', retryAfter: 7 });
    expect(error.details).toEqual(details);
  });

  it('of other types are logged with the request id, and their cause is not sent', async () => {
    await service.serve('breaks', { handle: () => Promise.reject(new Error('password=hunter2')) });
    const error = await refusal(call('breaks', 'get', '', FOREVER, { requestId: 'r-42' }));
    expect(error.reason).toBe('unexpected');
    expect(error.message).not.toContain('hunter2');
    expect(fixture.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        fields: expect.objectContaining({ requestId: 'r-42', service: 'breaks', operation: 'get' }),
      }),
    );
  });

  it('are also sent when a handler throws synchronously', async () => {
    await service.serve('throws', {
      handle: () => {
        throw new AppError('not_found');
      },
    });
    expect((await refusal(call('throws', 'get'))).reason).toBe('not_found');
  });
});

describe('the deadline', () => {
  it('ends the requester’s wait and aborts the handler’s signal', async () => {
    let aborted = false;
    await service.serve('slow', {
      handle: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve({ body: bytes('too late') });
          });
        }),
    });
    expect((await refusal(call('slow', 'get', '', 100))).reason).toBe('unavailable');
    await until(() => aborted, 'abort signal');
  });

  it('is checked by the service, which does not handle a request that waited too long', async () => {
    const handled: string[] = [];
    let release: (() => void) | undefined;
    await service.serve('narrow', {
      concurrency: 1,
      handle: async ({ body }) => {
        handled.push(text(body));
        if (text(body) === 'first') await new Promise<void>((resolve) => (release = resolve));
        return { body };
      },
    });
    const first = call('narrow', 'do', 'first');
    await until(() => handled.length === 1, 'first request');
    // Sent without the client, which would stop waiting by its own clock. Here the service reports that the time has
    // passed.
    const peer = await dial(fixture.server.url, 'peer', 5000);
    const short = createHeaders();
    short.set('Rpc-Deadline', '50');
    const late = await peer.request(`${fixture.namespace}.rpc.narrow.do`, 'second', {
      headers: short,
      timeout: FOREVER,
    });
    expect(late.headers?.get('Rpc-Error')).toBe('unavailable');
    await peer.close();
    const third = call('narrow', 'do', 'third');
    release?.();
    expect(text((await first).body)).toBe('first');
    expect(text((await third).body)).toBe('third');
    expect(handled).toEqual(['first', 'third']);
  });

  it('prevents sending when it has passed', async () => {
    await service.serve('never', echo);
    expect((await refusal(call('never', 'get', '', 0))).reason).toBe('unavailable');
  });
});
