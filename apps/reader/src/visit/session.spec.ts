import { describe, expect, it } from '@jest/globals';
import { sessionOf } from './session.js';

const request = {
  headers: {
    'user-agent': 'Browser',
    'accept-language': 'de-CH,de;q=0.9',
    referer: 'https://search.example/?q=a',
    cookie: 'seen=yes=1; scriptorium-visitor-token=a.b.c; __Host-scriptorium-x=1; none',
  },
  from: '203.0.113.5, 127.0.0.1',
  url: new URL('https://docs.example/start?a=1&jwt_token=secret&preview=secret'),
  isOwnHost: true,
};

describe('what the reader tells of a visitor', () => {
  it('is what their browser says, without what lets them in', () => {
    expect(sessionOf(request)).toEqual({
      url: 'https://docs.example/start?a=1',
      session: {
        ip: '203.0.113.5',
        userAgent: 'Browser',
        language: 'de-CH',
        referrer: 'https://search.example/?q=a',
        cookies: { seen: 'yes=1' },
      },
    });
  });

  it('has no cookies of a host with many sites, and nothing long', () => {
    expect(sessionOf({ ...request, isOwnHost: false }).session.cookies).toEqual({});
    const long = 'x'.repeat(10_000);
    const headers = { 'user-agent': long, referer: long, cookie: `a=${long}`, 'accept-language': long };
    const { session, url } = sessionOf({
      ...request,
      headers,
      from: long,
      url: new URL(`https://docs.example/${long}`),
    });
    expect(JSON.stringify([session, url]).length).toBeLessThan(12_000);
  });
});
