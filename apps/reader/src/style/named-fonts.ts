import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SiteCustomization } from '@scriptorium/contracts';
import { codeFonts, textFonts } from './font-names.js';

type Name = Extract<SiteCustomization['styling']['font' | 'monospaceFont'], string>;

/** A font that a package brings: its files, and the style that says which of them has which letters. */
interface Packaged {
  name: string;
  family: string;
  styles: readonly string[];
}

const variable = (name: string, family: string, hasItalic = true): Packaged => ({
  name: `@fontsource-variable/${name}`,
  family: `${family} Variable`,
  styles: hasItalic ? ['wght', 'wght-italic'] : ['wght'],
});
const fixed = (name: string, family: string, ...styles: string[]): Packaged => ({
  name: `@fontsource/${name}`,
  family,
  styles,
});
const text = ['400', '400-italic', '700'] as const;

/** The fonts that a site names. What is not here is shown in those of the system. */
const packages: Readonly<Partial<Record<Name, Packaged>>> = {
  Inter: variable('inter', 'Inter'),
  Roboto: variable('roboto', 'Roboto'),
  RobotoSlab: variable('roboto-slab', 'Roboto Slab', false),
  OpenSans: variable('open-sans', 'Open Sans'),
  SourceSansPro: variable('source-sans-3', 'Source Sans 3'),
  Lato: fixed('lato', 'Lato', ...text),
  Ubuntu: fixed('ubuntu', 'Ubuntu', ...text),
  Raleway: variable('raleway', 'Raleway'),
  Merriweather: variable('merriweather', 'Merriweather'),
  Overpass: variable('overpass', 'Overpass'),
  NotoSans: variable('noto-sans', 'Noto Sans'),
  IBMPlexSerif: fixed('ibm-plex-serif', 'IBM Plex Serif', ...text),
  Poppins: fixed('poppins', 'Poppins', ...text),
  FiraSans: fixed('fira-sans', 'Fira Sans', ...text),
  FiraCode: variable('fira-code', 'Fira Code', false),
  IBMPlexMono: fixed('ibm-plex-mono', 'IBM Plex Mono', '400', '700'),
  JetBrainsMono: variable('jetbrains-mono', 'JetBrains Mono', false),
  SourceCodePro: variable('source-code-pro', 'Source Code Pro', false),
  RobotoMono: variable('roboto-mono', 'Roboto Mono', false),
  SpaceMono: fixed('space-mono', 'Space Mono', '400', '700'),
  DMMono: fixed('dm-mono', 'DM Mono', '400', '500'),
  Inconsolata: variable('inconsolata', 'Inconsolata', false),
};

const byName = new Map(Object.entries(packages).map(([name, one]) => [name.toLowerCase(), one]));
const { resolve } = createRequire(import.meta.url);

interface Loaded {
  style: string;
  /** Where the files are on this machine, by the names under which they are served. */
  files: ReadonlyMap<string, string>;
}
const loaded = new Map<string, Loaded>();

/** Whether a font comes with the reader. */
export function isNamedFont(font: unknown): font is Name {
  return typeof font === 'string' && byName.has(font.toLowerCase());
}

/** The style for fonts of these names, in lower case as an address has them; empty for those of the system. */
export function namedFontStyle(font: string, monospaceFont: string): string {
  const used = [
    { property: '--text-font', one: byName.get(font), behind: textFonts },
    { property: '--code-font', one: byName.get(monospaceFont), behind: codeFonts },
  ];
  const faces = new Set(used.flatMap(({ one }) => (one === undefined ? [] : [load(one).style])));
  const names = used.flatMap(({ property, one, behind }) =>
    one === undefined ? [] : [`${property}: "${one.family}", ${behind};`],
  );
  return names.length === 0 ? '' : `${[...faces].join('')}:root { ${names.join(' ')} }\n`;
}

/** The letters of languages that are not written in Latin ones, as files of fonts are named. */
const lettersOf: Readonly<Record<string, string>> = { ru: 'cyrillic', el: 'greek' };

/** The file of a font that most of a page in a language is shown in, as an address below that of a site. */
export function mainFontFile(font: unknown, locale: string): string | undefined {
  if (!isNamedFont(font)) return undefined;
  const one = packages[font];
  const files = one === undefined ? [] : [...load(one).files.keys()];
  const letters = Object.hasOwn(lettersOf, locale) ? (lettersOf[locale] ?? 'latin') : 'latin';
  const file = files.find((name) => new RegExp(`-${letters}-(?:wght|400)-normal\\.woff2$`).test(name));
  return file && `~reader/${file}`;
}

/** A file of a font by the end of its address; `undefined` for one that there is not. */
export function fontAt(name: string): Buffer | undefined {
  if (!/^~reader\/font-[\w.-]{1,100}\.woff2$/.test(name)) return undefined;
  const file = name.slice('~reader/'.length);
  for (const one of byName.values()) {
    const path = load(one).files.get(file);
    if (path !== undefined) return readFileSync(path);
  }
  return undefined;
}

/** Reads the styles of a package once, with the addresses of its files as they are served. */
function load(one: Packaged): Loaded {
  const known = loaded.get(one.name);
  if (known !== undefined) return known;
  const folder = dirname(resolve(`${one.name}/package.json`));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const files = new Map<string, string>();
  const styles = one.styles.map((style) =>
    readFileSync(join(folder, `${style}.css`), 'utf8')
      .replaceAll(/\/\*[^]*?\*\/\s*/g, '')
      // A text that changes its font while it is read would move: what comes late is for the next page.
      .replaceAll('font-display: swap', 'font-display: optional')
      .replaceAll(/,\s*url\([^)]*\.woff\) format\('woff'\)/g, '')
      .replaceAll(/url\(\.\/files\/([\w.-]+\.woff2)\)/g, (_, file: string) => {
        const served = `font-${version}-${file}`;
        files.set(served, join(folder, 'files', file));
        return `url(${served})`;
      }),
  );
  const made = { style: styles.join('').replaceAll(/\n\s*/g, ' ').replaceAll('} @', '}\n@'), files };
  loaded.set(one.name, made);
  return made;
}
