import { describe, expect, it } from '@jest/globals';
import { policyOf } from '../server/policy.js';
import { ownFonts } from './fonts.js';

const fontOf = (fontFamily: string, ...urls: string[]) => ({
  id: 'own',
  custom: true,
  fontFamily,
  fontFaces: [{ weight: 400, sources: urls.map((url) => ({ url, format: 'woff2' })) }],
});
const kept = 'https://files.example/looks/site_1/ab/own.woff2';

describe('the fonts of a site', () => {
  it('are those of the system where it only names them', () => {
    expect(ownFonts({ font: 'Inter', monospaceFont: 'FiraCode' })).toBeUndefined();
    expect(policyOf('https://files.example', undefined)).not.toContain('font-src');
  });

  it('are faces with all their files, and stand before those of the system', () => {
    const both = ownFonts({ font: fontOf('Own', kept, `${kept}2`), monospaceFont: fontOf('Own Code', kept) });
    expect(both?.style.split('\n')).toEqual([
      `@font-face { font-family: "Own"; font-weight: 400; font-display: swap; src: url("${kept}") format("woff2"), url("${kept}2") format("woff2"); }`,
      `@font-face { font-family: "Own Code"; font-weight: 400; font-display: swap; src: url("${kept}") format("woff2"); }`,
      expect.stringMatching(/^:root \{ --text-font: "Own", system-ui.*; --code-font: "Own Code", ui-monospace.*; \}$/),
    ]);
  });

  it('say nothing else than fonts, whatever they are called', () => {
    const style = ownFonts({
      font: fontOf('"; } </style><b>\\\n', `${kept}?"</style>`),
      monospaceFont: 'FiraCode',
    })?.style;
    expect(style).not.toMatch(/[<>]|[^(]"; }/);
    expect(style).toContain('font-family: "\\22 ; } \\3c /style\\3e \\3c b\\3e \\5c \\a "; font-weight');
  });

  it('are allowed from where files are kept, and from elsewhere only if they are there', () => {
    const policy = (url: string, origin = 'https://files.example') =>
      policyOf(origin, ownFonts({ font: fontOf('Own', url), monospaceFont: 'FiraCode' }));
    expect(policy(kept)).toMatch(/style-src 'self' 'sha256-[\w+/]{43}='; .*font-src https:\/\/files\.example;/);
    expect(policy('https://files.example.org/own.woff2')).toContain('font-src https://files.example https:;');
    expect(policy('http://elsewhere.example/a', 'http://127.0.0.1:8081')).toContain(
      'font-src http://127.0.0.1:8081 https: http:;',
    );
  });
});
