import { describe, expect, it } from '@jest/globals';
import { maskOf, secretsIn } from './secrets.js';
import { boundTrace, type RawTrace } from './trace.js';
import { createTraceStore } from './trace-store.js';

const raw = (more: Partial<RawTrace> = {}): RawTrace => ({
  outcome: 'ok',
  truncated: false,
  logs: [],
  exceptions: [],
  ...more,
});
const line = (message: string, level = 'log') => ({ at: 1, level, message });
const more = { call: 'c', durationMs: 5, requests: [] };
const bound = (trace: RawTrace, secrets: string[] = []) => boundTrace(trace, maskOf(secrets), more);

describe('secrets of an environment', () => {
  it('are its secrets, keys and tokens, and what the script has written into a configuration', () => {
    const environment = {
      integration: { name: 'mine' },
      secrets: { CLIENT: 'client-secret', EMPTY: '' },
      signingSecrets: { integration: 'sign-1', installation: 'sign-2' },
      apiTokens: { integration: 'token-1', installation: 'token-2' },
      authToken: 'token-3',
      signingSecret: 'sign-3',
      installation: {
        configuration: { channel: 'general-talk', count: 5, oauth: { access: 'xoxb-123456', kind: 'bot' } },
      },
      siteInstallation: { configuration: { oauth_credentials: { list: ['refresh-me-now'] } } },
    };
    const expected = [
      'client-secret',
      'sign-1',
      'sign-2',
      'token-1',
      'token-2',
      'token-3',
      'sign-3',
      'xoxb-123456',
      'refresh-me-now',
    ];
    expect(secretsIn(environment).sort()).toEqual(expected.sort());
    for (const odd of [null, 5, 'x', [], { secrets: null, installation: 7 }]) expect(secretsIn(odd)).toEqual([]);
  });

  it('are masked in every form, the longer one first', () => {
    const mask = maskOf(['abc', 'abc"def', 'a&b c']);
    expect(mask('abc abc"def "abc\\"def" a%26b%20c a&b c')).toBe('*** *** "***" *** ***');
    expect(maskOf(['$&'])('x$&x')).toBe('x***x');
  });
});

describe('a trace', () => {
  it('has the lines of the console with their levels, and exceptions', () => {
    const logs = [line('a'), line('b', 'debug'), line('c', 'warn'), line('d', 'error'), line('e', 'trace')];
    const exceptions = [{ at: 2, name: 'TypeError', message: 'no', stack: 'at x' }];
    const { logs: told, ...others } = bound(raw({ logs, exceptions, outcome: 'exception' }));
    expect(told.map(({ level }) => level)).toEqual(['info', 'debug', 'warn', 'error', 'info']);
    expect(others).toEqual({ ...more, outcome: 'exception', exceptions, truncated: false });
  });

  it('has no secret in lines, exceptions and hosts, and no part of one where it is cut', () => {
    const secret = 's'.repeat(1_000);
    const filler = 'x'.repeat(16 * 1024 - 10);
    const trace = bound(raw({ logs: [line(`${filler}${secret}${secret}${secret}${secret}`)], exceptions: [] }), [
      secret,
    ]);
    expect(trace.logs[0]?.message).toBe(`${filler}${'*'.repeat(10)}`);
    const thrown = raw({ exceptions: [{ at: 1, name: 'Error', message: secret, stack: `at ${secret}` }] });
    const requests = [{ method: 'GET', host: `${secret}.example`, status: 200 }];
    expect(JSON.stringify(boundTrace(thrown, maskOf([secret]), { ...more, requests }))).not.toContain('sss');
  });

  it('has at most 200 lines, 16 KiB of text and 100 requests, and says when something was left out', () => {
    const many = bound(raw({ logs: Array.from({ length: 201 }, () => line('a')) }));
    expect([many.logs.length, many.truncated]).toEqual([200, true]);
    const long = bound(raw({ logs: [line('y'.repeat(10_000)), line('z'.repeat(10_000)), line('w')] }));
    expect([long.logs.map(({ message }) => message.length), long.truncated]).toEqual([[10_000, 6_384], true]);
    const requests = Array.from({ length: 101 }, () => ({ method: 'GET', host: 'a', status: 200 }));
    const sent = boundTrace(raw(), maskOf([]), { ...more, requests });
    expect([sent.requests.length, sent.truncated]).toEqual([100, true]);
    expect(bound(raw({ truncated: true })).truncated).toBe(true);
  });
});

describe('traces that wait', () => {
  const trace = bound(raw());

  it('are given once, also to somebody who has waited', async () => {
    const store = createTraceStore();
    expect(await store.take('c', 0)).toBeUndefined();
    store.open('c');
    expect(await store.take('c', 0)).toBe('pending');
    const waiting = store.take('c', 10_000);
    store.put(trace);
    expect(await waiting).toEqual(trace);
    expect(await store.take('c', 0)).toBeUndefined();
    store.put(trace);
    expect(await store.take('c', 0)).toBeUndefined();
  });

  it('are forgotten after two minutes, and when there are too many', async () => {
    let now = 0;
    const store = createTraceStore(() => now);
    store.open('c');
    store.put(trace);
    now = 120_001;
    expect(await store.take('c', 0)).toBeUndefined();
    for (let i = 0; i <= 2_000; i += 1) store.open(String(i));
    expect([await store.take('0', 0), await store.take('2000', 0)]).toEqual([undefined, 'pending']);
    store.close();
  });
});
