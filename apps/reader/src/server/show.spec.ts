import { describe, expect, it } from '@jest/globals';
import { freshMsOf } from '../visit/api.js';
import { carriedQuery, leftOut, specialIn } from '../visit/visitor.js';
import { cookieIn, isToken, removeVisitor, setVisitor } from './cookies.js';
import { visitorAddress } from './server.js';
import { localPath } from './answer.js';

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

  it('is the address of the visitor as it was told, with who has told it', () => {
    const address = (given?: string) => visitorAddress({ headers: { 'x-forwarded-for': given }, ip: '127.0.0.1' });
    expect([address('203.0.113.5'), address('2001:db8::1, 10.0.0.1'), address(), address('x<y')]).toEqual([
      '203.0.113.5, 127.0.0.1',
      '2001:db8::1, 10.0.0.1, 127.0.0.1',
      '127.0.0.1',
      '127.0.0.1',
    ]);
  });

  it('sets cookies for the path of a site alone', () => {
    const place = { path: '/~site/s/', isSecure: true };
    expect(setVisitor('a.b.c', place)).toBe(
      'scriptorium-visitor-token=a.b.c; Path=/~site/s/; HttpOnly; SameSite=Lax; Secure',
    );
    expect(removeVisitor({ path: '/x; Domain=evil', isSecure: false })).toContain('Path=/; HttpOnly');
  });

  it('carries all of what says who a visitor is, however long it is', () => {
    expect(carriedQuery(new URL('https://x.y/?visitor.beta=true&q=1&preview=p&jwt_token=t'))).toBe(
      'visitor.beta=true&preview=p',
    );
    const long = `visitor.a=${'x'.repeat(3_000)}`;
    expect(carriedQuery(new URL(`https://x.y/?preview=p&${long}`))).toBe(`preview=p&${long}`);
  });

  it('is how much a place to come back to leaves out of an address', () => {
    const of = (wanted: string | null) => leftOut('/~site/s/guides/start?a=b', wanted);
    expect([of('/~site/s/guides/start?a=b'), of('guides/start?a=b'), of('start'), of(''), of(null)]).toEqual([
      0,
      9,
      undefined,
      undefined,
      undefined,
    ]);
    expect(leftOut('/~site/s/', '')).toBe(9);
  });

  it('is the kind of answer that the end of a path selects', () => {
    expect(specialIn('/~site/s/~search')).toEqual({ path: '/~site/s/', special: '~search' });
    expect(specialIn('/~site/s/llms.txtual')).toEqual({ path: '/~site/s/llms.txtual', special: undefined });
  });

  it('is the time for which an answer may be cached', () => {
    const headers = ['private, max-age=60', 'max-age=5', 'private, no-cache', 'no-store, max-age=9', null, 'max-age=x'];
    expect(headers.map(freshMsOf)).toEqual([60_000, 5_000, 0, 0, 0, 0]);
  });
});
