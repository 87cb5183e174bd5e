import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { readConfig } from '../config.js';
import { createBodyBudget } from './body.js';
import { renderError, toAppError, createMethodsOf } from './errors.js';
import { requestIdOf, pathOf, refuseTarget } from './accept.js';

const SECRET_KEYS = ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join();

describe('an error', () => {
  it('does not show its cause when it is unexpected', () => {
    const { status, body } = renderError(toAppError(new Error('password is hunter2')), 'r');
    expect([status, JSON.parse(body)]).toEqual([
      500,
      { error: { code: 500, message: 'Unexpected error', reason: 'unexpected', requestId: 'r' } },
    ]);
  });

  it.each([[undefined], [null], ['text'], [{ statusCode: '400' }], [{ statusCode: 600 }]])(
    'is unexpected for anything else that was thrown: %j',
    (thrown) => {
      expect(toAppError(thrown).reason).toBe('unexpected');
    },
  );

  it.each([
    [0.2, '1'],
    [2, '2'],
    [2.1, '3'],
  ])('with a retry after %d s has Retry-After in whole seconds', (retryAfter, header) => {
    expect(renderError(new AppError('unavailable', [], { retryAfter }), 'r').headers['retry-after']).toBe(header);
  });
});

describe('methods of a path', () => {
  const methodsOf = createMethodsOf(
    [
      { method: 'GET', path: '/orgs/{id}', aliases: ['/org/{id}'], rest: undefined },
      { method: 'PATCH', path: '/orgs/{id}', aliases: [], rest: undefined },
      { method: 'POST', path: '/orgs/me', aliases: [], rest: undefined },
      { method: 'GET', path: '/orgs/{id}/files/{place}', aliases: [], rest: 'place' },
    ],
    ['/a.b'],
  );

  it.each([
    ['/v1/orgs/x', ['GET', 'HEAD', 'PATCH']],
    ['/v1/orgs/me', ['GET', 'HEAD', 'PATCH', 'POST']],
    ['/v1/org/x', ['GET', 'HEAD']],
    ['/v1/orgs', []],
    ['/v1/orgs/x/', []],
    ['/v1/orgs/', []],
    ['/v1/orgs/x/files/a', ['GET', 'HEAD']],
    ['/v1/orgs/x/files/a/b/c', ['GET', 'HEAD']],
    ['/v1/orgs/x/files/', []],
    ['/v1/orgs/x/files', []],
    ['/v1/orgs/x/y/files/a', []],
    ['/a.b', ['GET', 'HEAD']],
    ['/axb', []],
  ])('%s', (path, methods) => {
    expect(methodsOf(path)).toEqual(methods);
  });
});

describe('a request target', () => {
  it.each([
    ['/v1/a?b=/c', '/v1/a'],
    ['http://x:1/v1?y', '/v1'],
    ['http://x', '/'],
    ['*', '*'],
  ])('%s has the path %s', (url, path) => {
    expect(pathOf(url)).toBe(path);
  });

  it.each([
    ['/a'.padEnd(2_048, 'a'), null],
    ['/a'.padEnd(2_049, 'a'), 'invalid_request'],
    ['/%C3%A4', null],
    ['/%C3', 'invalid_request'],
  ])('%.12s…', (url, reason) => {
    expect(refuseTarget(url)?.reason ?? null).toBe(reason);
  });
});

describe('the budget of bodies', () => {
  it('holds reserved bytes until they are released, once', () => {
    const budget = createBodyBudget(100);
    const free = budget.take(80);
    expect(() => budget.take(30)).toThrow(expect.objectContaining({ reason: 'unavailable' }));
    free();
    free();
    expect(budget.held()).toBe(0);
  });

  it('accepts a single large body', () => {
    expect(() => createBodyBudget(10).take(1_000)).not.toThrow();
  });
});

describe('a request id', () => {
  it.each([
    ['a.b-C_1', true],
    ['x'.repeat(129), false],
    ['a b', false],
    ['', false],
    ['ä', false],
  ])('%.10s kept: %j', (given, kept) => {
    expect(requestIdOf({ 'x-request-id': given }) === given).toBe(kept);
  });
});

describe('settings', () => {
  it('have defaults except for NATS_URL', () => {
    expect(readConfig({ SECRET_KEYS, NATS_URL: 'nats://n:1', PORT: '', UNKNOWN: 'x' })).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://127.0.0.1:8080',
      corsOrigins: [],
      allowedHosts: [],
      rates: { ordinary: 1000, anonymous: 60, search: 30, 'content-write': 20, 'spec-write': 12, pdf: 10, files: 600 },
    });
    expect(readConfig({ SECRET_KEYS, NATS_URL: 'nats://n:1', RATE_LIMIT: '0' }).rates).toEqual({
      ordinary: 0,
      anonymous: 0,
      files: 0,
      search: 0,
      'content-write': 0,
      'spec-write': 0,
      pdf: 0,
    });
    expect(
      readConfig({
        SECRET_KEYS,
        NATS_URL: 'nats://n:1',
        PUBLIC_URL: 'https://docs.test//',
        CORS_ORIGINS: 'https://a, https://b,',
      }),
    ).toMatchObject({ publicUrl: 'https://docs.test', corsOrigins: ['https://a', 'https://b'] });
  });

  it('accept host names, subdomains and *', () => {
    expect(
      readConfig({ SECRET_KEYS, NATS_URL: 'nats://n', ALLOWED_HOSTS: 'api.internal, .docs.example,localhost,*' })
        .allowedHosts,
    ).toEqual(['api.internal', '.docs.example', 'localhost', '*']);
  });

  it.each([
    [{}, 'NATS_URL'],
    [{ NATS_URL: 'nats://n', SECRET_KEYS: 'k1:x' }, 'SECRET_KEYS'],
    [{ NATS_URL: 'nats://n', PORT: '70000' }, 'PORT'],
    [{ NATS_URL: 'nats://n', PUBLIC_URL: 'docs' }, 'PUBLIC_URL'],
    [{ NATS_URL: 'nats://n', PORT: 'x' }, 'PORT'],
    [{ NATS_URL: 'nats://n', ALLOWED_HOSTS: 'a.example, docs.example:8443' }, 'ALLOWED_HOSTS.*docs\\.example:8443'],
    [{ NATS_URL: 'nats://n', ALLOWED_HOSTS: 'https://docs.example' }, 'ALLOWED_HOSTS.*https://docs\\.example'],
    [{ NATS_URL: 'nats://n', ALLOWED_HOSTS: '*.docs.example' }, 'ALLOWED_HOSTS'],
  ])('that are invalid are named: %j', (environment, name) => {
    expect(() => readConfig({ SECRET_KEYS, ...environment })).toThrow(new RegExp(`^${name}`));
  });
});
