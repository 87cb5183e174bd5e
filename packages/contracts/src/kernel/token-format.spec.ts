import { describe, expect, it } from '@jest/globals';
import { crc32, formatToken, parseToken, tokenLength } from './token-format.js';

const id = 'aB3dE6gH';
const secret = 'q'.repeat(20) + 'Z0'.repeat(10);

describe('crc32', () => {
  it.each([
    ['', 0],
    ['123456789', 0xcbf43926],
    ['The quick brown fox jumps over the lazy dog', 0x414fa339],
  ])('of %j is the published check value', (text, value) => {
    expect(crc32(text)).toBe(value);
  });
});

describe('a personal token', () => {
  const token = formatToken(id, secret);

  it('has the documented form and can be parsed', () => {
    expect(token).toMatch(/^scr_pat_aB3dE6gH_[0-9A-Za-z]{46}$/);
    expect(token).toHaveLength(tokenLength);
    expect(parseToken(token)).toEqual({ kind: 'personal', id });
  });

  it('is told from a SCIM token by its beginning', () => {
    const scim = formatToken(id, secret, 'scim');
    expect(scim).toMatch(/^scr_scim_aB3dE6gH_[0-9A-Za-z]{46}$/);
    expect(parseToken(scim)).toEqual({ kind: 'scim', id });
    expect(parseToken(scim.replace('scr_scim_', 'scr_pat_'))).toBeNull();
  });

  it('is refused when any character differs', () => {
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'x' ? 'y' : 'x';
      expect(parseToken(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
    }
  });

  it.each([
    ['empty', ''],
    ['cut', token.slice(0, -1)],
    ['longer', `${token}0`],
    ['of another kind', token.replace('scr_pat_', 'scr_oat_')],
    ['with a line end', `${token}\n`],
    ['with white space', ` ${token}`],
  ])('is refused when it is %s', (_, text) => {
    expect(parseToken(text)).toBeNull();
  });

  it('is not formatted from malformed parts, and the error contains neither', () => {
    expect(() => formatToken('short', secret)).toThrow(RangeError);
    expect(() => formatToken(id, 'p@ss')).toThrow(/^A token needs/);
  });
});
