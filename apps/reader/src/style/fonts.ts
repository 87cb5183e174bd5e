import type { SiteCustomization } from '@scriptorium/contracts';
import { codeFonts, textFonts } from './font-names.js';

type Styling = Pick<SiteCustomization['styling'], 'font' | 'monospaceFont'>;
type Font = Exclude<Styling['font'] | Styling['monospaceFont'], string>;

/** The fonts that a site brings itself. */
export interface OwnFonts {
  /** The content of a style element. */
  style: string;
  /** The addresses of their files. */
  files: string[];
}

/** The fonts that a site brings itself; `undefined` for a site without any. Pure. */
export function ownFonts({ font, monospaceFont }: Styling): OwnFonts | undefined {
  const used = [
    { name: '--text-font', font, behind: textFonts },
    { name: '--code-font', font: monospaceFont, behind: codeFonts },
  ].flatMap(({ font: one, ...more }) => (typeof one === 'string' ? [] : [{ ...more, font: one }]));
  if (used.length === 0) return undefined;
  const faces = used.flatMap((one) => facesOf(one.font));
  const names = used.map((one) => `${one.name}: ${quoted(one.font.fontFamily)}, ${one.behind};`);
  return {
    style: [...new Set(faces), `:root { ${names.join(' ')} }`].join('\n'),
    files: used.flatMap((one) => one.font.fontFaces.flatMap(({ sources }) => sources.map(({ url }) => url))),
  };
}

function facesOf({ fontFamily, fontFaces }: Font): string[] {
  return fontFaces.map(({ weight, sources }) => {
    const from = sources.map(
      ({ url, format }) => `url(${quoted(url)})${format === undefined ? '' : ` format(${quoted(format)})`}`,
    );
    return `@font-face { font-family: ${quoted(fontFamily)}; font-weight: ${weight}; font-display: swap; src: ${from.join(', ')}; }`;
  });
}

/** A string of CSS. Nothing in it ends the string, the line or the element. */
function quoted(text: string): string {
  const safe = text.replace(/[\p{Cc}"\\<>]/gu, (one) => `\\${(one.codePointAt(0) ?? 0).toString(16)} `);
  return `"${safe}"`;
}
