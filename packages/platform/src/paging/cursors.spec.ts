import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { Cursors } from './cursors.js';
import { parseKeyring } from '../process/keyring.js';

const key = (fill: string) => Buffer.alloc(32, fill).toString('base64');
const ring = (...ids: string[]) => parseKeyring([...ids, 'reservation'].map((id) => `${id}:${key(id)}`).join(','));
const binding = {
  operation: 'listMembers',
  scope: { organization: 'o', role: undefined },
  sort: 'name',
  order: 'asc',
} as const;

describe('cursors', () => {
  const cursors = new Cursors(ring('k1'));
  const page = cursors.encode(binding, ['Ann Example', 'u1']);

  it('contain the keys that they were made with', () => {
    expect(cursors.decode(binding, page)).toEqual(['Ann Example', 'u1']);
    expect(cursors.decode({ ...binding, scope: { role: undefined, organization: 'o' } }, page)).toEqual([
      'Ann Example',
      'u1',
    ]);
  });

  it('show no names of people', () => {
    const [text = ''] = page.split('.');
    expect(Buffer.from(text, 'base64url').toString()).not.toContain('Ann');
  });

  it.each([
    ['another list', { ...binding, operation: 'listTeams' }],
    ['another organization', { ...binding, scope: { organization: 'p' } }],
    ['another filter', { ...binding, scope: { organization: 'o', role: 'read' } }],
    ['another order', { ...binding, order: 'desc' as const }],
    ['another sort', { ...binding, sort: 'joinedAt' }],
  ])('are refused by %s', (_what, other) => {
    expect(() => cursors.decode(other, page)).toThrow('Invalid page');
  });

  it.each([...Array(40).keys()])('are refused when character %i is changed', (i) => {
    const at = Math.floor((i * page.length) / 40);
    const tampered = `${page.slice(0, at)}${page[at] === 'A' ? 'B' : 'A'}${page.slice(at + 1)}`;
    expect(() => cursors.decode(binding, tampered)).toThrow(AppError);
  });

  it.each(['', '.', 'x', 'x.y', '....', '\u0000', 'e30.0000000000000000', '%7B%7D'])(
    'are refused when they are %j',
    (text) => {
      expect(() => cursors.decode(binding, text)).toThrow('Invalid page');
    },
  );

  it('are refused when something is appended to them', () => {
    expect(() => cursors.decode(binding, `${page}.x`)).toThrow('Invalid page');
  });

  it('stay valid when a key is added, but not when their key is removed', () => {
    expect(new Cursors(ring('k2', 'k1')).decode(binding, page)).toEqual(['Ann Example', 'u1']);
    expect(() => new Cursors(ring('k2')).decode(binding, page)).toThrow('Invalid page');
  });
});

describe('a keyring', () => {
  it.each([
    ['k1:short,reservation:' + key('r'), 'at least 32 bytes'],
    [`k1:${key('a')}`, 'reservation key is missing'],
    [`reservation:${key('a')}`, 'signing key is missing'],
    ['', 'id:base64'],
  ])('is refused when it is %s', (text, message) => {
    expect(() => parseKeyring(text)).toThrow(message);
  });

  it('derives another key for each purpose', () => {
    const keys = ring('k1');
    expect(keys.sign('cursor', 'x')).not.toBe(keys.sign('session', 'x'));
    expect(keys.verify('cursor', 'x', keys.sign('cursor', 'x', 8), 'k1')).toBe(true);
    expect(keys.verify('cursor', 'y', keys.sign('cursor', 'x', 8), 'k1')).toBe(false);
  });
});
