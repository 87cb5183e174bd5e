import type { SiteCustomization } from '@scriptorium/contracts';
import { createHash } from 'node:crypto';
import { layoutStyle } from './layout-style.js';
import { textStyle } from './text-style.js';

type Styling = Pick<SiteCustomization['styling'], 'primaryColor' | 'corners'>;

const whole = `${layoutStyle}${textStyle}`;
const version = createHash('sha256').update(whole).digest('hex').slice(0, 12);

/** Where the style of all sites is served, below the address of a site. Another style has another address. */
export const stylePath = `~reader/style-${version}.css`;

const corners = ['straight', 'rounded', 'circular'] as const;
const radius = { straight: '0', rounded: '8px', circular: '14px' };

/** Where the colors of a site are served: the address says them, so that it can be kept forever. */
export function themePath({ primaryColor: { light, dark }, corners: shape }: Styling): string {
  return `~reader/theme-${hex(light)}-${hex(dark)}-${shape}.css`;
}

/** Six digits of a color. */
function hex(color: string): string {
  const digits = color.slice(1).toLowerCase();
  return digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
}

/** A style by the end of its address; `undefined` for one that there is not. */
export function styleAt(name: string): string | undefined {
  if (name === stylePath) return whole;
  const [, light = '', dark = '', shape] = /^~reader\/theme-([\da-f]{6})-([\da-f]{6})-([a-z]+)\.css$/.exec(name) ?? [];
  const corner = corners.find((one) => one === shape);
  return corner === undefined ? undefined : theme(light, dark, radius[corner]);
}

/** The colors of a site, made readable: text in them has a contrast of at least 4.5 to what is behind it. */
function theme(light: string, dark: string, corner: string): string {
  const onLight = `--primary: ${readable(light, 'ffffff')}; --on-primary: #ffffff;`;
  const onDark = `--primary: ${readable(dark, '14171c')}; --on-primary: #14171c;`;
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
