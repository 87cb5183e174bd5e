import { describe, expect, it } from '@jest/globals';
import { answerHeaders, type HeaderPairs } from './answer-headers.js';
import { requestHeaders, requestMethod } from './request-headers.js';
import { policyText } from '@scriptorium/contracts';

const path = '/v1/integrations/slack';
const alone = { path, isShared: false, policy: null };
const shared = { path, isShared: true, policy: null };
const cookiesOf = (cookies: string[], at = shared) =>
  answerHeaders(
    cookies.map((one): [string, string] => ['Set-Cookie', one]),
    at,
  )['set-cookie'];

describe('the headers of what a script answers', () => {
  it('are those of the script, but for what is about the connection or the product', () => {
    const given: HeaderPairs = [
      ['Content-Type', 'text/html'],
      ['Content-Length', '7'],
      ['X-Own', 'a'],
      ['X-Own', 'b'],
      ['Connection', 'close'],
      ['Scriptorium-Refused', '1'],
      ['X-Request-Id', 'x'],
      ['Alt-Svc', 'h2=":443"'],
      ['Strict-Transport-Security', 'max-age=0'],
      ['Clear-Site-Data', '"*"'],
    ];
    expect(answerHeaders(given, alone)).toEqual({
      'content-type': ['text/html'],
      'x-own': ['a', 'b'],
      'clear-site-data': ['"*"'],
      'cache-control': ['no-store'],
      'cross-origin-resource-policy': ['cross-origin'],
      'referrer-policy': ['no-referrer'],
      'x-content-type-options': ['nosniff'],
    });
    expect(answerHeaders(given, shared)['clear-site-data']).toBeUndefined();
    expect(answerHeaders([['cache-control', 'max-age=60']], alone)['cache-control']).toEqual(['max-age=60']);
  });

  it('have the policy of the integration, and a sandbox where the origin is shared', () => {
    const policy = { 'script-src': "'self'" };
    const own: HeaderPairs = [['content-security-policy', "default-src 'none'"]];
    const of = (at: typeof alone | { policy: Record<string, string> }) =>
      answerHeaders(own, { ...alone, ...at })['content-security-policy'];
    expect(of(alone)).toEqual(["default-src 'none'"]);
    expect(of({ policy })).toEqual(["default-src 'none'", "script-src 'self'"]);
    expect(of(shared)?.at(-1)).toBe('sandbox allow-scripts allow-forms allow-popups');
  });

  it('set cookies for one host, and below the integration where the host is shared', () => {
    expect(cookiesOf(['a=1; Domain=example.org; Path=/; Secure'], alone)).toEqual(['a=1; Path=/; Secure']);
    expect(cookiesOf(['a=1; domain=.example.org; HttpOnly'])).toEqual([`a=1; HttpOnly; Path=${path}`]);
    expect(cookiesOf(['a=1; Path=/', `b=2; Path=${path}/x`, `c=3; Path=${path}-other`])).toEqual([
      `a=1; Path=${path}`,
      `b=2; Path=${path}/x`,
      `c=3; Path=${path}`,
    ]);
    expect(
      cookiesOf(['scriptorium-callback-i1=x; Path=/', '__Host-scriptorium-callback-i1=x', 'none']),
    ).toBeUndefined();
  });
});

describe('a content security policy', () => {
  it('is sent as far as its directives are known and end nothing', () => {
    expect(policyText("default-src 'self'; made-up x; script-src *")).toBe("default-src 'self'; script-src *");
    expect(policyText({ 'img-src': '*', 'frame-src': 'a, b' })).toBe('img-src *');
    for (const none of [null, '', 'made-up', "default-src 'self'\r\nx: y", {}])
      expect(policyText(none)).toBeUndefined();
  });
});

describe('the headers of a request that a script gets', () => {
  it('are without credentials of the product', () => {
    const cookie = 'own=1; __Host-scriptorium-callback-i1=x; scr=scr_ses_abc; more=2';
    expect(
      requestHeaders({
        'scriptorium-host': 'slack.example',
        host: '127.0.0.1:9',
        authorization: 'Bearer scr_pat_abc',
        'content-type': 'text/plain',
        'x-request-id': 'r',
        cookie,
      }),
    ).toEqual({ host: 'slack.example', 'content-type': 'text/plain', cookie: 'own=1; more=2' });
    const authorization = 'Bearer xoxb-1';
    expect(requestHeaders({ authorization, cookie: 'scriptorium-callback-i1=x' })).toEqual({ authorization });
  });

  it('come with a method in lower case, but for PATCH', () => {
    expect(['GET', 'POST', 'PATCH'].map(requestMethod)).toEqual(['get', 'post', 'PATCH']);
  });
});
