import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, formatToken } from '@scriptorium/contracts';
import type { ServiceCall } from '../services/client.js';
import { config } from '../test/rig.js';
import { createAuthenticator, type Authenticator } from './authenticator.js';
import { bearerToken } from './credential.js';

const token = formatToken('abcdefgh', 's'.repeat(40));
const other = formatToken('zyxwvuts', 's'.repeat(40));

let now: number;
let calls: ServiceCall[];
let answer: () => Promise<unknown>;
let authenticator: Authenticator;
let sequence: number;

const principal = (id = 'u1', expiresAt?: string) => ({
  principal: {
    kind: 'user',
    id,
    operator: false,
    token: { id: 'abcdefgh', kind: 'personal', ...(expiresAt === undefined ? {} : { expiresAt }) },
  },
});

beforeEach(() => {
  now = 1_000;
  calls = [];
  sequence = 0;
  answer = () => Promise.resolve(principal());
  const client = {
    async request(call: ServiceCall) {
      calls.push(call);
      return { body: Buffer.from(JSON.stringify(await answer())), headers: {} };
    },
  };
  authenticator = createAuthenticator({
    client,
    keys: config.keys,
    now: () => now,
    clock: () => Date.parse('2030-01-01T00:00:00.000Z') + now,
  });
});

const announce = (users: string[] = []): void => {
  sequence += 1;
  authenticator.receive(Buffer.from(JSON.stringify({ epoch: 'e', sequence, users })));
};

describe('asking identity about a token', () => {
  it('sends its hash, never the token', async () => {
    await authenticator.ask(token);
    const text = JSON.stringify(calls.map((call) => ({ ...call, body: Buffer.from(call.body).toString() })));
    expect(text).not.toContain('ssssssss');
    expect(JSON.parse(Buffer.from(calls[0]?.body ?? []).toString())).toEqual({
      kind: 'personal',
      id: 'abcdefgh',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('refuses a token with a wrong checksum without an exchange', async () => {
    await expect(authenticator.ask(`${token.slice(0, -1)}!`)).rejects.toMatchObject({ reason: 'unauthenticated' });
    expect(calls).toEqual([]);
  });

  it('refuses a token that identity does not know', async () => {
    answer = () => Promise.resolve({ principal: null });
    await expect(authenticator.ask(token)).rejects.toMatchObject({
      reason: 'unauthenticated',
      message: 'Invalid token',
    });
  });

  it.each([
    ['no answer', () => Promise.reject(new AppError('unavailable'))],
    ['another refusal', () => Promise.reject(new AppError('forbidden'))],
    ['an answer of another shape', () => Promise.resolve({ principal: { id: 7 } })],
  ])('is unavailable after %s', async (_, failing) => {
    answer = failing;
    await expect(authenticator.ask(token)).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('makes one exchange for many requests at the same time', async () => {
    const found = await Promise.all(Array.from({ length: 50 }, () => authenticator.ask(token)));
    expect([calls.length, new Set(found).size]).toEqual([1, 1]);
  });

  it('has at most 1,000 open exchanges', async () => {
    answer = () => new Promise(() => undefined);
    for (let i = 0; i < 1_000; i += 1) void authenticator.ask(formatToken(String(i).padStart(8, '0'), 's'.repeat(40)));
    await expect(authenticator.ask(other)).rejects.toMatchObject({ reason: 'unavailable', retryAfter: 1 });
    expect(calls).toHaveLength(1_000);
  });
});

describe('the cached caller', () => {
  it('is used while announcements come', async () => {
    announce();
    await authenticator.ask(token);
    expect(authenticator.known(token)?.principal.id).toBe('u1');
    expect(authenticator.known(other)).toBeUndefined();
    now += 750;
    expect(authenticator.known(token)).toBeUndefined();
  });

  it('is not used before the first announcement', async () => {
    await authenticator.ask(token);
    expect(authenticator.known(token)).toBeUndefined();
  });

  it('is forgotten when its user changed, and only then', async () => {
    announce();
    await authenticator.ask(token);
    answer = () => Promise.resolve(principal('u2'));
    await authenticator.ask(other);
    announce(['u1']);
    expect([authenticator.known(token), authenticator.known(other)?.principal.id]).toEqual([undefined, 'u2']);
  });

  it('is forgotten after a gap in the announcements', async () => {
    announce();
    await authenticator.ask(token);
    sequence += 1;
    announce();
    expect(authenticator.known(token)).toBeUndefined();
  });

  it('is not one from before a change', async () => {
    announce();
    let release = (): void => undefined;
    answer = () => new Promise((resolve) => (release = () => resolve(principal())));
    const early = authenticator.ask(token);
    announce(['u1']);
    answer = () => Promise.resolve({ principal: null });
    const late = authenticator.ask(token);
    release();
    expect((await early).principal.id).toBe('u1');
    await expect(late).rejects.toMatchObject({ reason: 'unauthenticated' });
    expect(authenticator.known(token)).toBeUndefined();
  });

  it('is not used after the token has expired', async () => {
    answer = () => Promise.resolve(principal('u1', '2030-01-01T00:00:01.500Z'));
    announce();
    await authenticator.ask(token);
    now = 1_499;
    expect(authenticator.known(token)).toBeDefined();
    now = 1_500;
    expect(authenticator.known(token)).toBeUndefined();
    await expect(authenticator.ask(token)).rejects.toMatchObject({ reason: 'unauthenticated' });
  });
});

describe('the Authorization header', () => {
  it.each([[`Bearer ${token}`], [`bearer   ${token} `]])('gives the token: %j', (header) => {
    expect(bearerToken(header)).toBe(token);
  });

  it.each([[undefined], [''], ['Basic abc'], ['Bearer'], ['Token x']])(
    'is refused without a bearer token: %j',
    (header) => {
      expect(() => bearerToken(header)).toThrow(expect.objectContaining({ reason: 'unauthenticated' }));
    },
  );
});
