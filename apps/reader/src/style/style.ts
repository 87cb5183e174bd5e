import type { SiteCustomization } from '@scriptorium/contracts';
import { createHash } from 'node:crypto';
import { apiStyle } from './api-style.js';
import { codeStyle } from './code-style.js';
import { drawerStyle } from './drawer-style.js';
import { layoutStyle } from './layout-style.js';
import { lookStyle } from './look-style.js';
import { isNamedFont, namedFontStyle } from './named-fonts.js';
import { printStyle } from './print-style.js';
import { textStyle } from './text-style.js';

type Styling = Pick<SiteCustomization['styling'], 'corners' | `${(typeof colorNames)[number]}Color`> &
  Partial<Pick<SiteCustomization['styling'], 'font' | 'monospaceFont'>>;
const colorNames = ['primary', 'info', 'success', 'warning', 'danger'] as const;

const whole = [layoutStyle, drawerStyle, textStyle, codeStyle, apiStyle, lookStyle, printStyle].join('');
const version = createHash('sha256').update(whole).digest('hex').slice(0, 12);

/** Where the style of all sites is served, below the address of a site. Another style has another address. */
export const stylePath = `~reader/style-${version}.css`;

const corners = ['straight', 'rounded', 'circular'] as const;
const radius = { straight: '0', rounded: '8px', circular: '14px' };

/** Where the fonts and colors of a site are served: the address says them, so that it can be kept forever. */
export function themePath(styling: Styling): string {
  const colors = colorNames.map((name) => {
    const { light, dark } = styling[`${name}Color`];
    return `${hex(light)}-${hex(dark)}`;
  });
  const named = [styling.font, styling.monospaceFont].map((font) =>
    isNamedFont(font) ? font.toLowerCase() : 'system',
  );
  const fonts = named.every((name) => name === 'system') ? [] : named;
  return `~reader/theme-${[...fonts, ...colors, styling.corners].join('-')}.css`;
}

/** Six digits of a color. */
function hex(color: string): string {
  const digits = color.slice(1).toLowerCase();
  return digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
}

/** A style by the end of its address; `undefined` for one that there is not. */
export function styleAt(name: string): string | undefined {
  if (name === stylePath) return whole;
  const [, font = '', code = '', colors = '', shape] = themeForm.exec(name) ?? [];
  const corner = corners.find((one) => one === shape);
  if (corner === undefined) return undefined;
  return `${namedFontStyle(font, code)}${theme(colors.split('-'), radius[corner])}`;
}

const themeForm = /^~reader\/theme-(?:([a-z]{1,20})-([a-z]{1,20})-)?((?:[\da-f]{6}-){10})([a-z]+)\.css$/;

/** The colors of a site, made readable: text in them has a contrast of at least 4.5 to what is behind it. */
function theme(colors: readonly string[], corner: string): string {
  // They stand in pairs, for light and for dark surroundings.
  const on = (behind: string, place: 0 | 1): string =>
    colorNames.map((name, index) => `--${name}: ${readable(colors[2 * index + place] ?? '', behind)};`).join(' ');
  const onLight = `${on('ffffff', 0)} --on-primary: #ffffff;`;
  const onDark = `${on('14171c', 1)} --on-primary: #14171c;`;
  return `:root { ${onLight} --corner: ${corner}; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${onDark} } }
:root[data-theme="dark"] { ${onDark} }
`;
}

/** The wanted contrast, and a little, since tinted surfaces lie between. */
const wantedContrast = 5.2;

/** A color, moved away from the one behind it until it can be read on it. */
export function readable(color: string, behind: string): string {
  const away = luminance(behind) > 0.5 ? 0 : 255;
  let parts = partsOf(color);
  for (let step = 0; step < 40 && contrast(parts, partsOf(behind)) < wantedContrast; step += 1)
    parts = parts.map((part) => Math.round(part + (away - part) * 0.08 + Math.sign(away - part)));
  return `#${parts.map((part) => Math.min(255, Math.max(0, part)).toString(16).padStart(2, '0')).join('')}`;
}

function partsOf(color: string): number[] {
  return [0, 2, 4].map((at) => parseInt(color.slice(at, at + 2), 16));
}

function luminance(color: string): number {
  return luminanceOf(partsOf(color));
}

/** How bright a color looks (WCAG 2). */
function luminanceOf(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(a: readonly number[], b: readonly number[]): number {
  const [high = 0, low = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}
