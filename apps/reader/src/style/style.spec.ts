import { describe, expect, it } from '@jest/globals';
import { contrast, readable, styleAt, stylePath, themePath } from './style.js';

const parts = (color: string): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

describe('the style of a site', () => {
  it.each(['000000', 'ffffff', 'ffff00', '346ddb', '00ff00', '777777', 'fefefe', '010203'])(
    'makes #%s readable on light and on dark surfaces',
    (color) => {
      for (const behind of ['ffffff', '14171c'])
        expect(contrast(parts(readable(color, behind)), parts(`#${behind}`))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('does not change a readable color', () => {
    expect(readable('1f3f8f', 'ffffff')).toBe('#1f3f8f');
  });

  it('has an address for each of its contents, and no other address', () => {
    const blue = { light: '#ABC', dark: '#346DDB' };
    const red = { light: '#900', dark: '#FFCCCC' };
    const theme = themePath({
      primaryColor: blue,
      infoColor: blue,
      successColor: blue,
      warningColor: blue,
      dangerColor: red,
      corners: 'straight',
    });
    expect(theme).toBe(`~reader/theme-${'aabbcc-346ddb-'.repeat(4)}990000-ffcccc-straight.css`);
    expect(styleAt(theme)).toContain('--corner: 0;');
    expect(styleAt(theme)).toMatch(/^:root \{ .*--danger: #990000;/);
    expect(styleAt(theme)).toMatch(/:root\[data-theme="dark"\] \{ .*--danger: #ffcccc;/);
    expect(styleAt(stylePath)).toContain('.hint');
    for (const name of [
      `~reader/theme-${'aabbcc-346ddb-'.repeat(5)}odd.css`,
      `~reader/theme-a;}${'-346ddb'.repeat(9)}-straight.css`,
      '~reader/x.css',
    ])
      expect(styleAt(name)).toBeUndefined();
  });
});
