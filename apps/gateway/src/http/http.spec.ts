import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { readConfig } from '../config.js';
import { createBodyBudget } from './body-budget.js';
import { renderError, toAppError } from './errors.js';
import { requestIdOf } from './request-id.js';
import { createMethodsOf } from './routes-known.js';
import { pathOf, refuseTarget } from './target.js';

describe('an error', () => {
  it('that nobody foresaw says nothing of the inside', () => {
    const { status, body } = renderError(toAppError(new Error('password is hunter2')), 'r');
    expect([status, JSON.parse(body)]).toEqual([500, { error: { code: 500, message: 'Unexpected error', reason: 'unexpected', requestId: 'r' } }]);
  });

  it.each([[undefined], [null], ['text'], [{ statusCode: '400' }], [{ statusCode: 600 }]])('may be anything thrown: %j', (thrown) => {
    expect(toAppError(thrown).reason).toBe('unexpected');
  });

  it.each([[0.2, '1'], [2, '2'], [2.1, '3']])('to be tried again after %d s says so in whole seconds', (retryAfter, header) => {
    expect(renderError(new AppError('unavailable', [], { retryAfter }), 'r').headers['retry-after']).toBe(header);
  });
});

describe('methods of a path', () => {
  const methodsOf = createMethodsOf([{ method: 'GET', path: '/orgs/{id}' }, { method: 'PATCH', path: '/orgs/{id}' }, { method: 'POST', path: '/orgs/me' }], ['/a.b']);

  it.each([
    ['/v1/orgs/x', ['GET', 'HEAD', 'PATCH']],
    ['/v1/orgs/me', ['GET', 'HEAD', 'PATCH', 'POST']],
    ['/v1/orgs', []],
    ['/v1/orgs/x/', []],
    ['/v1/orgs/', []],
    ['/a.b', ['GET', 'HEAD']],
    ['/axb', []],
  ])('%s', (path, methods) => {
    expect(methodsOf(path)).toEqual(methods);
  });
});

describe('a target', () => {
  it.each([['/v1/a?b=/c', '/v1/a'], ['http://x:1/v1?y', '/v1'], ['http://x', '/'], ['*', '*']])('%s has the path %s', (url, path) => {
    expect(pathOf(url)).toBe(path);
  });

  it.each([['/a'.padEnd(2_048, 'a'), null], ['/a'.padEnd(2_049, 'a'), 'invalid_request'], ['/%C3%A4', null], ['/%C3', 'invalid_request']])('%.12s…', (url, reason) => {
    expect(refuseTarget(url)?.reason ?? null).toBe(reason);
  });
});

describe('a budget of bodies', () => {
  it('holds what is taken until it is given back, once', () => {
    const budget = createBodyBudget(100);
    const free = budget.take(80);
    expect(() => budget.take(30)).toThrow(expect.objectContaining({ reason: 'unavailable' }));
    free();
    free();
    expect(budget.held()).toBe(0);
  });

  it('lets a single large body in', () => {
    expect(() => createBodyBudget(10).take(1_000)).not.toThrow();
  });
});

describe('a request id', () => {
  it.each([['a.b-C_1', true], ['x'.repeat(129), false], ['a b', false], ['', false], ['ä', false]])('%.10s kept: %j', (given, kept) => {
    expect(requestIdOf({ 'x-request-id': given }) === given).toBe(kept);
  });
});

describe('settings', () => {
  it('have defaults for all but NATS', () => {
    expect(readConfig({ NATS_URL: 'nats://n:1', PORT: '', UNKNOWN: 'x' })).toMatchObject({ host: '127.0.0.1', port: 8080, publicUrl: 'http://127.0.0.1:8080', corsOrigins: [], allowedHosts: [], rates: { ordinary: 1000, anonymous: 60, search: 30, 'content-write': 20 } });
    expect(readConfig({ NATS_URL: 'nats://n:1', RATE_LIMIT: '0' }).rates).toEqual({ ordinary: 0, anonymous: 0, search: 0, 'content-write': 0 });
    expect(readConfig({ NATS_URL: 'nats://n:1', PUBLIC_URL: 'https://docs.test//', CORS_ORIGINS: 'https://a, https://b,' })).toMatchObject({ publicUrl: 'https://docs.test', corsOrigins: ['https://a', 'https://b'] });
  });

  it('take names of hosts, of their subdomains, and all', () => {
    expect(readConfig({ NATS_URL: 'nats://n', ALLOWED_HOSTS: 'api.internal, .docs.example,localhost,*' }).allowedHosts).toEqual(['api.internal', '.docs.example', 'localhost', '*']);
  });

  it.each([[{}, 'NATS_URL'], [{ NATS_URL: 'nats://n', PORT: '70000' }, 'PORT'], [{ NATS_URL: 'nats://n', PUBLIC_URL: 'docs' }, 'PUBLIC_URL'], [{ NATS_URL: 'nats://n', PORT: 'x' }, 'PORT'],
    [{ NATS_URL: 'nats://n', ALLOWED_HOSTS: 'a.example, docs.example:8443' }, 'ALLOWED_HOSTS.*docs\\.example:8443'], [{ NATS_URL: 'nats://n', ALLOWED_HOSTS: 'https://docs.example' }, 'ALLOWED_HOSTS.*https://docs\\.example'],
    [{ NATS_URL: 'nats://n', ALLOWED_HOSTS: '*.docs.example' }, 'ALLOWED_HOSTS']])('that are bad are named: %j', (environment, name) => {
    expect(() => readConfig(environment)).toThrow(new RegExp(`^${name}`));
  });
});
