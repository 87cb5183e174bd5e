import { describe, expect, it } from '@jest/globals';
import { longestLoginLocation } from '@scriptorium/contracts';
import { loginLocation } from './login-location.js';

describe('what a visitor wants to see once they are signed in', () => {
  it.each([
    ['guides/start?a=b%20c', 'guides/start?a=b%20c'],
    ['/guides/start', 'guides/start'],
    ['', ''],
    [null, ''],
    // A script may read it as an address relative to that of the site: it stays on the site then.
    ['https:evil.example', 'https%3Aevil.example'],
    ['a:b/c:d?e=f:g', 'a%3Ab/c:d?e=f:g'],
    ['x'.repeat(longestLoginLocation + 1), ''],
  ])('is a path on the site: %s', (given, expected) => {
    const location = loginLocation(given);
    expect(location).toBe(expected);
    for (const address of [
      new URL(`https://site.example/docs/${location}`),
      new URL(location ?? '', 'https://site.example/docs/'),
    ])
      expect(address.href.startsWith('https://site.example/docs/')).toBe(true);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'javascript://x/%0aalert(1)',
    'a\nb',
    '\t//evil.example',
    '../other-site/',
    'a/../../other-site/',
    '%2e%2e/other-site/',
    '@evil.example',
    'x?jwt_token=y',
  ])('is nothing that leads elsewhere: %j', (given) => {
    expect(loginLocation(given)).toBeUndefined();
  });
});
