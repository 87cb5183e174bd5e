import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { changedByUser, seenByUser, setIn, type Declared } from './values.js';

const declared: Declared = {
  properties: {
    key: { type: 'string' },
    region: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
    most: { type: 'number' },
    on: { type: 'boolean', default: false },
    login: { type: 'button', callback_url: '/oauth', button_text: 'Log in' },
  },
  required: ['key', 'login'],
};
const written = { key: 'k', login: { token: 't' }, undeclared: [1] };

function problems(wanted: Record<string, unknown>, of: Declared = declared): unknown {
  try {
    return changedByUser(of, { before: {}, wanted });
  } catch (error) {
    return error instanceof AppError ? [error.reason, ...error.details.map(({ path }) => path)] : error;
  }
}

describe('a configuration', () => {
  it('is replaced by users as far as they see it', () => {
    expect(changedByUser(declared, { before: written, wanted: { most: 3 } })).toEqual({
      login: { token: 't' },
      undeclared: [1],
      most: 3,
    });
    expect(changedByUser(declared, { before: written, wanted: { key: null } })).toEqual({
      login: { token: 't' },
      undeclared: [1],
    });
  });

  it('fits what the integration declares', () => {
    expect(problems({ key: 'a', region: 'us', most: 0, on: true })).toEqual({
      key: 'a',
      region: 'us',
      most: 0,
      on: true,
    });
    const path = (...names: string[]) => [
      'configuration_invalid',
      ...names.map((name) => `body.configuration.${name}`),
    ];
    expect(problems({ key: 1, region: 'asia', most: '1', on: 'yes' })).toEqual(path('key', 'region', 'most', 'on'));
    expect(problems({ login: 'x', other: 1, constructor: 1 })).toEqual(path('login', 'other', 'constructor'));
    expect(problems({ a: 1 }, { componentId: 'c' })).toEqual(path('a'));
    expect(problems({}, undefined)).toEqual({});
  });

  it('is shown to users with its defaults, and without what the script writes', () => {
    expect(seenByUser(declared, written)).toEqual({ key: 'k', region: 'eu', on: false });
    expect(seenByUser(declared, { ...written, region: 'us' })).toMatchObject({ region: 'us' });
    expect(seenByUser({ componentId: 'c' }, written)).toEqual({});
    expect(seenByUser(undefined, written)).toEqual({});
  });

  it('tells which declared properties have a value', () => {
    expect(setIn(declared, written)).toEqual(['key', 'login']);
    expect(setIn(undefined, written)).toEqual([]);
  });
});
