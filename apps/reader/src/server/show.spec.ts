import { describe, expect, it } from '@jest/globals';
import { freshMsOf } from '../visit/api.js';
import { carriedQuery, specialIn } from '../visit/visitor.js';
import { cookieIn, isToken, removeVisitor, setVisitor } from './cookies.js';
import { localPath } from './show.js';

describe('what the reader reads of requests and answers', () => {
  it('is never a path that leads to another host', () => {
    expect(localPath(new URL('https://docs.example//evil.example/x?a=1'))).toBe('/evil.example/x?a=1');
  });

  it('is a token only if it can be one, also in a cookie', () => {
    expect(cookieIn('a=b; scriptorium-visitor-token=x.y.z; c=d', 'scriptorium-visitor-token')).toBe('x.y.z');
    expect(cookieIn(undefined, 'a')).toBeUndefined();
    expect([isToken('a.b.c'), isToken('a.b'), isToken('a.b.c; Path=/'), isToken(`${'a'.repeat(4_000)}.b.c`)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('sets cookies for the path of a site alone', () => {
    const place = { path: '/~site/s/', isSecure: true };
    expect(setVisitor('a.b.c', place)).toBe(
      'scriptorium-visitor-token=a.b.c; Path=/~site/s/; HttpOnly; SameSite=Lax; Secure',
    );
    expect(removeVisitor({ path: '/x; Domain=evil', isSecure: false })).toContain('Path=/; HttpOnly');
  });

  it('carries what says who a visitor is, and not too much of it', () => {
    expect(carriedQuery(new URL('https://x.y/?visitor.beta=true&q=1&preview=p&jwt_token=t'))).toBe(
      'visitor.beta=true&preview=p',
    );
    expect(carriedQuery(new URL(`https://x.y/?visitor.a=${'x'.repeat(3_000)}`))).toBe('');
  });

  it('is what the end of a path asks for', () => {
    expect(specialIn('/~site/s/~search')).toEqual({ path: '/~site/s/', special: '~search' });
    expect(specialIn('/~site/s/llms.txtual')).toEqual({ path: '/~site/s/llms.txtual', special: undefined });
  });

  it('is how long an answer may be kept', () => {
    const headers = ['private, max-age=60', 'max-age=5', 'private, no-cache', 'no-store, max-age=9', null, 'max-age=x'];
    expect(headers.map(freshMsOf)).toEqual([60_000, 5_000, 0, 0, 0, 0]);
  });
});
