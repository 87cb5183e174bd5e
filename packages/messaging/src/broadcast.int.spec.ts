import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMessaging, type Messaging } from './index.js';
import { bytes, echo, type Fixture, FOREVER, startFixture, text, until } from './test/fixture.js';

let fixture: Fixture;
let one: Messaging;
let two: Messaging;

beforeAll(async () => {
  fixture = await startFixture();
  [one, two] = [await fixture.connect('one'), await fixture.connect('two')];
});
afterAll(() => fixture.stop());

describe('a broadcast', () => {
  it('reaches every subscriber with the published subject', async () => {
    const heard: string[] = [];
    for (const messaging of [one, two]) {
      await messaging.subscribe('progress.*', (body, subject) => void heard.push(`${subject} ${text(body)}`));
    }
    expect(one.publish('progress.identity', bytes('7'))).toBe(true);
    await until(() => heard.length === 2, 'both subscribers');
    expect(heard).toEqual(['progress.identity 7', 'progress.identity 7']);
  });

  it('continues after a handler throws or rejects', async () => {
    const heard: string[] = [];
    await one.subscribe('fragile', (body) => {
      heard.push(text(body));
      if (text(body) === 'now') throw new Error('at once');
      if (text(body) === 'later') return Promise.reject(new Error('afterwards'));
      return undefined;
    });
    for (const body of ['now', 'later', 'fine']) two.publish('fragile', bytes(body));
    await until(() => heard.length === 3, 'all messages');
    await until(
      () => fixture.log.filter(({ message }) => message === 'a broadcast handler failed').length === 2,
      'log',
    );
  });

  it('does not reach a handler after unsubscribing', async () => {
    const heard: string[] = [];
    const subscription = await one.subscribe('end', (body) => void heard.push(text(body)));
    two.publish('end', bytes('1'));
    await until(() => heard.length === 1, 'first message');
    await subscription.unsubscribe();
    two.publish('end', bytes('2'));
    const after: string[] = [];
    await one.subscribe('after', () => void after.push(''));
    two.publish('after', bytes(''));
    await until(() => after.length === 1, 'a later message');
    expect(heard).toEqual(['1']);
  });

  it('stays in its namespace', async () => {
    const heard: string[] = [];
    await one.subscribe('shared', (body) => void heard.push(text(body)));
    const stranger = await connectMessaging({ url: fixture.server.url, name: 'stranger', namespace: 'elsewhere' });
    stranger.publish('shared', bytes('foreign'));
    await stranger.close();
    two.publish('shared', bytes('own'));
    await until(() => heard.length > 0, 'own message');
    expect(heard).toEqual(['own']);
  });

  it('is refused when it is too large for one message or has a wildcard subject', () => {
    expect(() => one.publish('big', new Uint8Array(2 * 1024 * 1024))).toThrow(
      expect.objectContaining({ reason: 'too_large' }),
    );
    expect(() => one.publish('any.*', bytes(''))).toThrow(TypeError);
  });
});

describe('a busy service', () => {
  it('handles a limited number of requests, lets some wait and refuses the others immediately', async () => {
    let running = 0;
    let most = 0;
    let release: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    await one.serve('busy', {
      concurrency: 8,
      handle: async (request) => {
        most = Math.max(most, ++running);
        await gate;
        running -= 1;
        return echo.handle(request);
      },
    });
    const ask = () =>
      two.client().request({ service: 'busy', operation: 'do', body: bytes(''), headers: {}, timeoutMs: FOREVER });
    const outcomes: string[] = [];
    const asked = Array.from({ length: 8 + 4096 + 50 }, () =>
      ask().then(
        () => outcomes.push('answered'),
        (error: { reason: string }) => outcomes.push(error.reason),
      ),
    );
    await until(() => outcomes.length === 50, 'refusals');
    expect(outcomes).toEqual(Array(50).fill('unavailable'));
    release?.();
    await Promise.all(asked);
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(8 + 4096);
    expect(most).toBe(8);
  });
});
