import { describe, expect, it } from '@jest/globals';
import { monospaceFonts, siteFonts } from '@scriptorium/contracts';
import { fontAt, isNamedFont, mainFontFile, namedFontStyle } from './named-fonts.js';
import { styleAt, themePath } from './style.js';

const colors = { light: '#346DDB', dark: '#346DDB' };
const styling = {
  primaryColor: colors,
  infoColor: colors,
  successColor: colors,
  warningColor: colors,
  dangerColor: colors,
  corners: 'rounded',
  font: 'Inter',
  monospaceFont: 'IBMPlexMono',
} as const;

describe('the fonts that a site names', () => {
  it('come with the reader, but for one that is not free', () => {
    expect([...siteFonts, ...monospaceFonts].filter((name) => !isNamedFont(name))).toEqual(['ABCFavorit']);
  });

  it.each([...siteFonts, ...monospaceFonts].filter(isNamedFont))('have files for %s', (name) => {
    const style = namedFontStyle(name.toLowerCase(), '');
    const files = [...style.matchAll(/url\(([^)]+)\)/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(0);
    expect(style).toMatch(/:root \{ --text-font: "[\w ]+", system-ui/);
    const { family = '' } = /--text-font: "(?<family>[^"]+)"/.exec(style)?.groups ?? {};
    expect(style).toContain(`font-family: '${family}'`);
    for (const file of files) expect(fontAt(`~reader/${file}`)?.subarray(0, 4).toString()).toBe('wOF2');
  });

  it('are in the style of the site, whose address names them', () => {
    const path = themePath(styling);
    expect(path).toMatch(/^~reader\/theme-inter-ibmplexmono-346ddb-/);
    const style = styleAt(path) ?? '';
    expect(style).toContain(`--text-font: "Inter Variable", system-ui`);
    expect(style).toContain(`--code-font: "IBM Plex Mono", ui-monospace`);
    const own = {
      id: 'x',
      custom: true,
      fontFamily: 'X',
      fontFaces: [{ weight: 400, sources: [{ url: 'https://x.example/' }] }],
    };
    expect(themePath({ ...styling, font: own, monospaceFont: own })).toMatch(/^~reader\/theme-346ddb-/);
  });

  it('have a file that is loaded first, with the letters of the language', () => {
    expect(mainFontFile('Inter', 'de')).toMatch(/^~reader\/font-[\d.]+-inter-latin-wght-normal\.woff2$/);
    expect(mainFontFile('Inter', 'ru')).toMatch(/-inter-cyrillic-wght-normal\.woff2$/);
    expect(mainFontFile('Lato', 'ru')).toBeUndefined();
    expect(mainFontFile('ABCFavorit', 'en')).toBeUndefined();
  });

  it('have no other files', () => {
    for (const name of ['font-x.woff2', 'font-5.3.0-../../package.json', 'font-.woff2', 'x.woff2'])
      expect(fontAt(`~reader/${name}`)).toBeUndefined();
    expect(styleAt('~reader/theme-constructor-__proto__-000000.css')).toBeUndefined();
  });
});
