import { describe, expect, it } from '@jest/globals';
import type { PublishedContent } from '@scriptorium/contracts';
import { askedScripts, consentFrom, consentText, scriptsAt, shownScripts, sourcesOf } from './scripts.js';

const at = (siteBasePath: string) => ({ siteBasePath }) as PublishedContent;
const src = 'https://stats.run.example/v1/integrations/stats/script/a/b/1-x.js';

describe('scripts of a site', () => {
  it('are on pages at a host of its own alone', () => {
    expect(scriptsAt([{ script: src }], at('/~site/abc/'))).toEqual([]);
    expect(scriptsAt([{ script: src }], at('/docs/'))).toEqual([]);
    expect(scriptsAt([{ script: src }], at('/'))).toEqual([
      { id: expect.any(String), src, setsCookies: false, sources: {} },
    ]);
  });

  const withCookies = (...addresses: string[]) =>
    scriptsAt(
      addresses.map((script) => ({ script, cookies: true })),
      at('/'),
    );
  const accepting = (scripts: { id: string }[]) =>
    consentFrom(consentText({ says: 'accepted', scripts: scripts.map(({ id }) => id) }));

  it('wait for consent when they set cookies', () => {
    const scripts = [...withCookies(src), ...scriptsAt([{ script: `${src}?2` }], at('/'))];
    const shown = (...consent: Parameters<typeof shownScripts>[1][]) =>
      consent.map((one) => [shownScripts(scripts, one).length, askedScripts(scripts, one).length]);
    expect(shown(undefined, { says: 'declined' }, accepting(scripts))).toEqual([
      [1, 1],
      [1, 0],
      [2, 0],
    ]);
  });

  it('are asked about again when there is one more, and not for another version or fewer of them', () => {
    const [other, newer] = [src.replace('/a/b/', '/c/b/'), src.replace('1-x', '2-y')];
    const before = accepting(withCookies(src));
    const grown = withCookies(newer, other);
    expect(askedScripts(grown, before)).toEqual(grown);
    expect(shownScripts(grown, before)).toEqual(withCookies(newer));
    expect(askedScripts(withCookies(newer), before)).toEqual([]);
    expect(askedScripts(withCookies(src), accepting(grown))).toEqual([]);
    expect(askedScripts(grown, consentFrom('declined'))).toEqual([]);
    expect(askedScripts(grown, consentFrom('accepted'))).toEqual(grown);
    expect(consentFrom('accepted.<script>.12345678')).toEqual({ says: 'accepted', scripts: ['12345678'] });
    expect(consentFrom('other')).toBeUndefined();
  });

  it.each([
    [
      'script-src https://cdn.example *.other.example cdn.third.example:8443/a/b.js a.example:*',
      ['https://cdn.example', '*.other.example', 'cdn.third.example:8443/a/b.js', 'a.example:*'],
    ],
    ["script-src * 'unsafe-inline' 'unsafe-eval' 'nonce-abc' data: blob: http://plain.example 'self'", ['https:']],
    ['SCRIPT-SRC https://a.example; script-src https://b.example', ['https://a.example']],
    ["script-src javascript: https: //x 'none' a,b https://a.example/?q;x", ['https:']],
  ])('have the sources of %s', (contentSecurityPolicy, expected) => {
    const { 'script-src': sources } = sourcesOf(scriptsAt([{ script: src, contentSecurityPolicy }], at('/')));
    expect(sources).toEqual(['https://stats.run.example', ...expected]);
  });

  it('widen known directives, and those that were not asked for not at all', () => {
    const contentSecurityPolicy =
      "connect-src *; style-src 'unsafe-inline'; object-src *; base-uri *; sandbox; frame-ancestors *";
    expect(sourcesOf(scriptsAt([{ script: src, contentSecurityPolicy }], at('/')))).toEqual({
      'script-src': ['https://stats.run.example'],
      'connect-src': ['https:'],
      'style-src': ["'unsafe-inline'"],
    });
  });
});
