import type { StoreScope, WrittenByType } from '@scriptorium/event-sourcing';
import type { Scope } from '../scope/scope.js';
import { CachedResponse } from '../handlers/answers.js';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  AppError,
  Id,
  internalOperation,
  operation,
  type Principal,
  type Relation,
  type ResourceAccess,
} from '@scriptorium/contracts';
import * as z from 'zod';
import { createDispatch, type DispatchPorts } from './dispatch.js';
import type { AnyOperation, Call } from '../handlers/handles.js';
import { parseKeyring } from '../process/keyring.js';
import { createPrincipalReader, signPrincipal } from '../tokens/signed-principal.js';

const base = {
  service: 'identity',
  tag: 'x',
  summary: 'x',
  params: z.object({ id: Id }),
  path: '/things/{id}',
} as const;
const access = { resource: 'team', view: ['read'], allow: ['admin'] } as const;
const change = operation({
  ...base,
  id: 'changeThing',
  method: 'PATCH',
  access,
  body: z.object({ title: z.string() }),
  response: z.object({ title: z.string() }),
});
const remove = operation({ ...base, id: 'removeThing', method: 'DELETE', access });
const make = operation({
  ...base,
  id: 'makeThing',
  method: 'POST',
  access,
  status: 201,
  bodyOptional: true,
  body: z.object({}),
  response: z.object({ urls: z.object({ location: z.string() }) }),
});
const inner = internalOperation({ id: 'inner', service: 'identity', input: z.object({}), response: z.object({}) });

const ports: DispatchPorts = {
  store: {
    waitUntilVisible: () => Promise.resolve(true),
    waitForTypes: () => Promise.resolve(),
    waitForPosition: () => Promise.resolve('reached'),
    past: () => Promise.resolve('later'),
    scope: () => ({ recorded: () => undefined }) as StoreScope,
  },
  scope: (store) => ({ store }) as Scope,
  cached: async (_key, scope, make) => CachedResponse.of(await make(scope)),
  idempotency: {
    start: () => Promise.resolve(),
    once: (_request, work) => work(() => Promise.resolve()),
    earlier: () => Promise.resolve(undefined),
    forget: () => Promise.resolve(),
  },
  now: Date.now,
  readPrincipal: (header) => (header === undefined ? null : (JSON.parse(header) as Principal)),
};

describe('the dispatcher', () => {
  let found: ResourceAccess;
  let result: unknown;
  let called: unknown[];
  let principal: unknown;

  beforeEach(() => {
    called = [];
    result = undefined;
    found = as('read', 'admin');
  });

  const as = (...relations: Relation[]): ResourceAccess => ({
    parentVisible: true,
    exists: true,
    relations: new Set(relations),
  });
  const run = async (
    op: AnyOperation,
    input: unknown,
    from: object | null = { kind: 'user', id: 'u', token: { id: 't', kind: 'personal' }, operator: false },
    more: Record<string, string> = {},
  ) => {
    const invoke = (parsed: unknown, call: Call<Principal | null>) => {
      called.push(parsed);
      ({ principal } = call);
      return Promise.resolve(result);
    };
    const dispatch = createDispatch(
      new Map([[op.id, { operation: op, invoke }]]),
      { team: () => Promise.resolve(found) },
      { ...ports, recovered: note },
    );
    const headers = { ...(from === null ? {} : { principal: JSON.stringify(from) }), 'request-id': 'r', ...more };
    const { body, headers: reply } = await dispatch({
      operation: op.id,
      body: Buffer.from(JSON.stringify(input)),
      headers,
      deadline: 0,
    });
    return { body: Buffer.from(body).toString(), headers: reply };
  };
  const recoveries: string[] = [];
  const note = (call: { operation: string }, { id = '' }: Readonly<Record<string, string>>) => {
    recoveries.push(`${call.operation} ${id}`);
    return Promise.resolve();
  };
  const params = { id: 'a' };

  it('records when an admin changes something without the enforced single sign-on', async () => {
    found = { ...as('read', 'admin'), withoutSSO: true };
    await expect(run(change, { params, query: {}, body: { title: 'b' } })).rejects.toMatchObject({
      reason: 'sso_required',
    });
    await expect(run(remove, { params, query: {} })).rejects.toMatchObject({ reason: 'sso_required' });
    expect([called, recoveries]).toEqual([[], []]);
    const recovery = () =>
      run(
        { ...change, access: { ...change.access, recovery: ['title'] } },
        { params, query: {}, body: { title: 'b' } },
      );
    result = Promise.reject(new AppError('sso_in_use'));
    await expect(recovery()).rejects.toMatchObject({ reason: 'sso_in_use' });
    expect([called.length, recoveries]).toEqual([1, []]);
    result = { title: 'b' };
    await recovery();
    expect([called.length, recoveries]).toEqual([2, ['changeThing a']]);
  });

  it('refuses a session of one organization for operations about the user', async () => {
    const bound = { kind: 'user', id: 'u', token: { id: 't', kind: 'session' }, organization: 'o', operator: false };
    const own = { ...change, access: { ...change.access, resource: 'user' as const } };
    const dispatch = createDispatch(
      new Map([[own.id, { operation: own, invoke: () => Promise.resolve({ title: 'b' }) }]]),
      { user: () => Promise.resolve(found) },
      ports,
    );
    const request = {
      operation: own.id,
      body: Buffer.from(JSON.stringify({ params, query: {}, body: { title: 'b' } })),
      headers: { principal: JSON.stringify(bound) },
      deadline: 0,
    };
    await expect(dispatch(request)).rejects.toMatchObject({ reason: 'forbidden' });
  });

  it('parses the input again, and passes on what the schema returns', async () => {
    result = { title: 'b' };
    expect(await run(change, { params, query: {}, body: { title: 'b', more: 1 } })).toEqual({
      body: '{"title":"b"}',
      headers: {},
    });
    expect(called).toEqual([{ params, query: {}, body: { title: 'b' } }]);
    await expect(run(change, { params: { id: '../x' }, query: {}, body: { title: 1 } })).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path: 'params.id' }, { path: 'body.title' }],
    });
  });

  it.each([
    ['not visible parent', { parentVisible: false }, change, 'not_found'],
    ['not visible parent', { parentVisible: false }, remove, 'not_found'],
    ['absent', { exists: false }, change, 'not_found'],
    ['not visible', { relations: new Set<Relation>() }, change, 'not_found'],
    ['visible, not allowed', { relations: new Set<Relation>(['read']) }, change, 'forbidden'],
    ['visible, not allowed', { relations: new Set<Relation>(['read']) }, remove, 'forbidden'],
  ])('refuses: %s', async (_what, less, op, reason) => {
    found = { ...found, ...less };
    await expect(run(op, { params, query: {}, body: { title: 'b' } })).rejects.toMatchObject({ reason });
    expect(called).toEqual([]);
  });

  it('says which level is missing, and on what', async () => {
    found = { ...found, relations: new Set<Relation>(['read']) };
    await expect(run(change, { params, query: {}, body: { title: 'b' } })).rejects.toMatchObject({
      message: 'You must have the level `admin` on the organization',
    });
  });

  it('answers not_found as unauthenticated only if the operation is about the caller and the caller no longer exists', async () => {
    const own = operation({
      id: 'getOwn',
      service: 'identity',
      method: 'GET',
      path: '/own',
      summary: 'x',
      tag: 'x',
      access: { resource: 'user', view: ['self'], allow: ['self'] },
      response: z.object({}),
    });
    const caller = JSON.stringify({ kind: 'user', id: 'u', token: { id: 't', kind: 'personal' }, operator: false });
    let isThere = true;
    const ask = (op: AnyOperation, ends = false) => {
      const invoke = () => {
        if (ends) isThere = false;
        return Promise.reject(new AppError('not_found'));
      };
      const user = () => Promise.resolve({ ...as('self'), exists: isThere });
      return createDispatch(
        new Map([[op.id, { operation: op, invoke }]]),
        { user, team: () => Promise.resolve(found) },
        ports,
      )({
        operation: op.id,
        body: Buffer.from(JSON.stringify({ params, query: {}, body: { title: 'b' } })),
        headers: { principal: caller },
        deadline: 0,
      });
    };
    await expect(ask(own)).rejects.toMatchObject({ reason: 'not_found' });
    await expect(ask(change, true)).rejects.toMatchObject({ reason: 'not_found' });
    isThere = true;
    await expect(ask(own, true)).rejects.toMatchObject({ reason: 'unauthenticated' });
    await expect(ask(own)).rejects.toMatchObject({ reason: 'unauthenticated' });
  });

  it.each([{ exists: false }, { relations: new Set<Relation>() }])(
    'answers a DELETE of something invisible like a DELETE of nothing',
    async (less) => {
      found = { ...found, ...less };
      expect(await run(remove, { params, query: {} })).toEqual({ body: '', headers: { status: '204' } });
      expect(called).toEqual([]);
    },
  );

  it('distinguishes deleted from absent, and returns the location of a created object', async () => {
    result = true;
    expect((await run(remove, { params, query: {} })).headers).toEqual({ status: '205' });
    result = false;
    expect((await run(remove, { params, query: {} })).headers).toEqual({ status: '204' });
    result = { urls: { location: 'https://x.example/v1/things/b' } };
    expect((await run(make, { params, query: {} })).headers).toEqual({ location: 'https://x.example/v1/things/b' });
  });

  it('leaves out large answers that the gateway has, for who may see them', async () => {
    const show = operation({
      ...base,
      id: 'showThing',
      method: 'GET',
      access,
      response: z.object({ title: z.string() }),
    });
    const ask = (known: string) => run(show, { params, query: {} }, undefined, { known });
    result = { title: 'x'.repeat(2_000) };
    const { digest = '' } = (await ask('')).headers ?? {};
    expect((await ask(digest)).body).toBe('');
    found = { parentVisible: false, exists: true, relations: new Set() };
    await expect(ask(digest)).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('requires a caller for operations, and passes none to internal operations', async () => {
    await expect(run(change, { params, query: {}, body: { title: 'b' } }, null)).rejects.toMatchObject({
      reason: 'unauthenticated',
    });
    expect(called).toEqual([]);
    result = { title: 'b' };
    await run(change, { params, query: {}, body: { title: 'b' } });
    expect(principal).toMatchObject({ id: 'u' });
    await run(inner, {}, null);
    expect([called.length, principal]).toEqual([2, null]);
  });

  it('calls operations without authentication for anybody, without a principal unless there is one', async () => {
    const response = z.object({ title: z.string() });
    const open = operation({ ...base, id: 'showThing', method: 'GET', access: { ...access, tokens: [] }, response });
    found = as();
    result = { title: 'b' };
    expect((await run(open, { params, query: {} }, null)).body).toBe('{"title":"b"}');
    expect(principal).toBeNull();
    await run(open, { params, query: {} });
    expect([called.length, principal]).toMatchObject([2, { id: 'u' }]);
  });

  describe('between services', () => {
    const keys = parseKeyring(
      ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(),
    );
    const user: Principal = { kind: 'user', id: 'u', token: { id: 't', kind: 'personal' }, operator: false };
    const recorded = {
      position: 51n,
      types: ['ThingMade'],
      positions: new Map([
        ['ThingMade', 50n],
        ['ThingMoved', 51n],
      ]),
    };
    const waited: ReadonlyMap<string, bigint>[] = [];
    let call: Call<Principal | null> | undefined;
    let outdated = false;

    async function send(op: AnyOperation, headers: Record<string, string>) {
      const invoke = (_input: unknown, given: Call<Principal | null>) => {
        call = given;
        return Promise.resolve({ title: 'b' });
      };
      const dispatch = createDispatch(
        new Map([[op.id, { operation: op, invoke }]]),
        { team: () => Promise.resolve(found) },
        {
          ...ports,
          readPrincipal: createPrincipalReader(keys),
          store: {
            ...ports.store,
            scope: () => ({ recorded: (): WrittenByType | undefined => recorded }) as StoreScope,
            waitForTypes: (positions) => {
              waited.push(positions);
              return outdated ? Promise.reject(new AppError('unavailable')) : Promise.resolve();
            },
          },
        },
      );
      const body = Buffer.from(JSON.stringify(op === inner ? {} : { params, query: {}, body: { title: 'b' } }));
      return (await dispatch({ operation: op.id, body, headers, deadline: 0 })).headers;
    }
    const signed = { principal: signPrincipal(keys, user, Date.now()) };

    it('refuses a principal that no gateway has signed, also for internal operations', async () => {
      call = undefined;
      const forged = { principal: JSON.stringify({ ...user, operator: true }) };
      for (const op of [change, inner]) await expect(send(op, forged)).rejects.toMatchObject({ reason: 'unavailable' });
      expect(call).toBeUndefined();
      await send(change, signed);
      expect(call).toMatchObject({ principal: user });
    });

    it('passes the verified caller to an internal operation, and no access, since none was checked', async () => {
      await send(inner, signed);
      expect(call).toMatchObject({ principal: user, access: { exists: false, parentVisible: false } });
      await send(inner, {});
      expect(call?.principal).toBeNull();
    });

    it('gives a handler a call of at most 20 members', async () => {
      await send(change, signed);
      expect(Object.keys(call ?? {}).length).toBeLessThanOrEqual(20);
    });

    it('returns the position of each recorded event type', async () => {
      const expected = { position: '51', types: 'ThingMade=50,ThingMoved=51' };
      expect(await send(change, signed)).toEqual(expected);
      expect(await send(inner, signed)).toEqual(expected);
    });

    it('waits for what the caller has recorded in other services', async () => {
      await send(change, { ...signed, 'after-types': 'MemberJoined=7,TeamRenamed=9' });
      expect(waited.splice(0)).toEqual([
        new Map([
          ['MemberJoined', 7n],
          ['TeamRenamed', 9n],
        ]),
      ]);
      await send(change, signed);
      expect(waited).toEqual([]);
      outdated = true;
      call = undefined;
      const late = send(change, { ...signed, 'after-types': 'MemberJoined=7' });
      await expect(late).rejects.toMatchObject({ reason: 'unavailable' });
      expect(call).toBeUndefined();
    });
  });

  it('answers pings', async () => {
    const dispatch = createDispatch(new Map(), {}, ports);
    const request = { operation: 'ping', body: Buffer.from('{}'), headers: {}, deadline: Date.now() + 1000 };
    expect(Buffer.from((await dispatch(request)).body).toString()).toBe('{}');
  });

  it('refuses to start with an operation whose resource has no access resolver', () => {
    expect(() =>
      createDispatch(new Map([[change.id, { operation: change, invoke: () => Promise.resolve() }]]), {}, ports),
    ).toThrow('changeThing');
  });

  it('admits visitors to no operation that does not name their tokens, whatever the gateway has let through', async () => {
    const visitor = {
      kind: 'visitor',
      id: 'v',
      organization: 'o',
      token: { id: 't', kind: 'content' },
      operator: false,
    };
    result = { title: 'T' };
    const input = { params: { id: 'a' }, query: {}, body: { title: 'T' } };
    await expect(run(change, input, visitor)).rejects.toMatchObject({ reason: 'forbidden' });
    expect(called).toEqual([]);
    const open = { ...change, access: { ...change.access, tokens: ['content'] } } as typeof change;
    expect((await run(open, input, visitor)).body).toBe('{"title":"T"}');
  });
});
