import { describe, expect, it } from '@jest/globals';
import { type Msg } from '@nats-io/transport-node';
import { AppError } from '@scriptorium/contracts';
import {
  decodeError,
  decodeHeaders,
  encodeError,
  encodeHeaders,
  isLiteral,
  numberHeader,
  operationSubject,
  serviceSubject,
  wholeBodyBytes,
  wire,
} from './wire.js';

const message = (callers: Record<string, string>, own: Record<string, string> = {}) =>
  ({ headers: encodeHeaders(callers, own) }) as Msg;

describe('headers', () => {
  it.each(['plain', 'ü "quoted", {json}', '100%', '%0D%25', ' blanks ', 'two\r\nlines', '\ttab', '', ' '])(
    'carry the value %j unchanged',
    (value) => {
      expect({ ...decodeHeaders(message({ note: value })) }).toEqual({ note: value });
    },
  );

  it('of the protocol and of the caller are separate', () => {
    const both = message({ requestId: 'r', 'Rpc-Error': 'forged' }, { [wire.deadline]: '5' });
    expect({ ...decodeHeaders(both) }).toEqual({ requestId: 'r' });
    expect(both.headers?.get(wire.error)).toBe('');
  });

  it('have no prototype', () => {
    const decoded = decodeHeaders(message({ constructor: 'x' }));
    expect(Object.getPrototypeOf(decoded)).toBeNull();
    expect(decoded.constructor).toBe('x');
    expect('toString' in decoded).toBe(false);
  });

  it.each([
    ['5', 5],
    ['0', undefined],
    ['11', undefined],
    ['-1', undefined],
    ['1e1', undefined],
    ['9999999999999999', undefined],
    ['', undefined],
  ])('with the number %s are read', (text, value) => {
    expect(numberHeader(message({}, { [wire.credit]: text }), wire.credit, 1, 10)).toBe(value);
  });
});

describe('subjects', () => {
  it('consist of names without dots, white space and wildcards', () => {
    expect(operationSubject('ns', 'identity', 'listTeams')).toBe('ns.rpc.identity.listTeams');
    expect(serviceSubject('ns', 'identity')).toBe('ns.rpc.identity.*');
    for (const bad of ['', 'a.b', '*', '>', 'a b', 'a\r\nPUB']) {
      expect(() => operationSubject('ns', 'identity', bad)).toThrow(TypeError);
      expect(() => serviceSubject('ns', bad)).toThrow(TypeError);
    }
    expect(['a', 'a.b-c'].map(isLiteral)).toEqual([true, true]);
    expect(['', '.', 'a..b', 'a.*', 'a.>', 'a b', 'a\r\nPUB x 0'].map(isLiteral)).toEqual(Array(7).fill(false));
  });
});

describe('encoded errors', () => {
  it('are decoded as they were thrown', () => {
    const details = [{ path: 'body.title', message: 'é is missing' }];
    const thrown = new AppError('conflict', details, { message: 'Again', retryAfter: 3 });
    expect(decodeError('conflict', encodeError(thrown))).toMatchObject({
      reason: 'conflict',
      message: 'Again',
      details,
      retryAfter: 3,
    });
  });

  it('never contain a cause', () => {
    const thrown = new AppError('unavailable', [], { cause: new Error('mongodb://user:secret@host') });
    expect(Buffer.from(encodeError(thrown)).toString()).not.toContain('secret');
  });

  it('have a limited size', () => {
    const details = Array.from({ length: 5000 }, () => ({ path: 'p'.repeat(5000), message: 'm'.repeat(5000) }));
    expect(encodeError(new AppError('invalid_request', details, { message: 'x'.repeat(1e6) })).length).toBeLessThan(
      300_000,
    );
  });

  it.each([
    ['a reason of a newer version', 'teapot', '{"message":"x"}', 'unexpected'],
    ['a name every object has', 'constructor', '{}', 'unexpected'],
    ['no JSON', 'conflict', '{', 'conflict'],
    ['another shape', 'conflict', '[1]', 'conflict'],
    ['null', 'conflict', 'null', 'conflict'],
    ['fields of other types', 'conflict', '{"message":5,"details":{"a":1},"retryAfter":"x"}', 'conflict'],
    ['details of other shapes', 'conflict', '{"details":[null,1,{"path":1,"message":"m"},{"path":"p"}]}', 'conflict'],
  ])('are decoded safely: %s', (_, reason, body, expected) => {
    const error = decodeError(reason, Buffer.from(body));
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ reason: expected, details: [], retryAfter: undefined });
    expect(error.message).not.toBe('');
  });
});

it('the largest body of one message leaves bytes for headers, whatever the limit of the server', () => {
  expect(wholeBodyBytes(1024 * 1024)).toBe(1024 * 1024 - 16 * 1024);
  expect(wholeBodyBytes(4096)).toBe(2048);
});
