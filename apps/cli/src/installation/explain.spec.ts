import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { explain } from './explain.js';

const told = (error: unknown) => {
  try {
    return explain(error);
  } catch (thrown) {
    return String(thrown).replace(/^Error: /, '');
  }
};

describe('what a command says of a failed call', () => {
  it('names each message once', () => {
    const details = [{ path: 'params.specSlug', message: 'Must be letters' }];
    expect(told(new AppError('invalid_request', details)).match(/Must be letters/g)).toHaveLength(1);
    const named = new AppError('invalid_request', details, { message: 'Must be letters' });
    expect(told(named)).toMatch(/the installation refused: Must be letters \(params\.specSlug\)$/);
    const other = new AppError('conflict', details, { message: 'Changed by others' });
    expect(told(other)).toContain('the installation refused: Changed by others (params.specSlug: Must be letters)');
  });

  it('names the code of an error of OpenSSL, and the first of several addresses', () => {
    const ssl = Object.assign(new Error('C0D7:error:0A00010B:SSL routines'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
    expect(told(new TypeError('fetch failed', { cause: ssl }))).toMatch(/: ERR_SSL_WRONG_VERSION_NUMBER$/);
    const all = new AggregateError([new Error('connect ECONNREFUSED ::1:80'), new Error('connect ECONNREFUSED')]);
    expect(told(new TypeError('fetch failed', { cause: all }))).toMatch(/connect ECONNREFUSED ::1:80$/);
  });

  it('leaves a defect as it is', () => {
    expect(() => explain(new TypeError('x is not a function'))).toThrow(TypeError);
  });
});
