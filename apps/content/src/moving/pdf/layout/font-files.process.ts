import { createHash } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { hanOf, type Han } from './font-families.js';

/** A file of a font that the installation adds. */
export interface AddedFont {
  path: string;
  size: number;
  scripts: readonly string[];
}

/** The fonts of an installation. */
export interface FontFiles {
  added: readonly AddedFont[];
  /** Differs when a layout could differ. */
  version: string;
}

const require = createRequire(import.meta.url);

interface FontPackage {
  name: string;
  /** What the names of its files begin with. */
  prefix: string;
  faces?: readonly string[];
}

/**
 * The faces of packages, by script; those of `base` are given to every layout. In the Arabic letters of Noto, dots are
 * glyphs of their own, which are letters once more for whoever searches or copies the text: it has those that others
 * lack.
 */
const packaged = {
  base: [
    {
      name: 'noto-sans',
      prefix: 'NotoSans',
      faces: ['400Regular', '700Bold', '400Regular_Italic', '700Bold_Italic'],
    },
  ],
  mono: [{ name: 'ibm-plex-mono', prefix: 'IBMPlexMono', faces: ['400Regular', '700Bold', '400Regular_Italic'] }],
  Arab: [
    { name: 'ibm-plex-sans-arabic', prefix: 'IBMPlexSansArabic' },
    { name: 'noto-sans-arabic', prefix: 'NotoSansArabic' },
  ],
  Deva: [{ name: 'noto-sans-devanagari', prefix: 'NotoSansDevanagari' }],
  Hebr: [{ name: 'noto-sans-hebrew', prefix: 'NotoSansHebrew' }],
  Jpan: [{ name: 'noto-sans-jp', prefix: 'NotoSansJP' }],
  Thai: [{ name: 'noto-sans-thai', prefix: 'NotoSansThai' }],
  Zsye: [{ name: 'noto-emoji', prefix: 'NotoEmoji', faces: ['400Regular'] }],
} as const satisfies Readonly<Record<string, readonly FontPackage[]>>;

type Packaged = keyof typeof packaged;

/** The files of the packages of a script; none of those that are not installed. */
function filesOf(script: Packaged): string[] {
  const all: readonly FontPackage[] = packaged[script];
  return all.flatMap(({ name, prefix, faces = ['400Regular', '700Bold'] }) => {
    try {
      const folder = dirname(require.resolve(`@expo-google-fonts/${name}/package.json`));
      return faces.map((face) => join(folder, face, `${prefix}_${face}.ttf`));
    } catch {
      return [];
    }
  });
}

/** Scripts by the number of their bit in what a font says that it has (`ulUnicodeRange` of its table `OS/2`). */
const bits: readonly (readonly [bit: number, script: string])[] = [
  [10, 'Armn'],
  [11, 'Hebr'],
  [13, 'Arab'],
  [15, 'Deva'],
  [16, 'Beng'],
  [17, 'Guru'],
  [18, 'Gujr'],
  [19, 'Orya'],
  [20, 'Taml'],
  [21, 'Telu'],
  [22, 'Knda'],
  [23, 'Mlym'],
  [24, 'Thai'],
  [25, 'Laoo'],
  [26, 'Geor'],
  [49, 'Hira'],
  [50, 'Kana'],
  [56, 'Hang'],
  [59, 'Hani'],
  [70, 'Tibt'],
  [71, 'Syrc'],
  [72, 'Thaa'],
  [73, 'Sinh'],
  [74, 'Mymr'],
  [75, 'Ethi'],
  [80, 'Khmr'],
];

const mostFonts = 200;

/** Looks at the fonts of a folder. What is no font is left out. */
export async function readFonts(folder: string | undefined): Promise<FontFiles> {
  const names = folder === undefined ? [] : (await readdir(folder)).filter((name) => /\.(ttf|otf|ttc)$/i.test(name));
  const added: AddedFont[] = [];
  for (const name of names.sort().slice(0, mostFonts)) {
    const found = await look(join(folder ?? '', name));
    if (found !== undefined) added.push(found);
  }
  const installed = (Object.keys(packaged) as Packaged[]).map((script) => [script, filesOf(script).length]);
  const version = createHash('sha256')
    .update(JSON.stringify([installed, added.map(({ path, size }) => [path, size])]))
    .digest('base64url')
    .slice(0, 16);
  return { added, version };
}

const largestHead = 64 * 1024;
const [entryBytes, headBytes, rangeAt] = [16, 12, 42];

async function look(path: string): Promise<AddedFont | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(Math.min(largestHead, size));
    await file.read(head, 0, head.length, 0);
    // A collection names where its first font begins.
    const start = head.toString('latin1', 0, 4) === 'ttcf' ? head.readUInt32BE(headBytes) : 0;
    const tables = head.readUInt16BE(start + 4);
    for (let index = 0; index < tables; index += 1) {
      const entry = start + headBytes + index * entryBytes;
      if (head.toString('latin1', entry, entry + 4) !== 'OS/2') continue;
      const ranges = Buffer.alloc(16);
      await file.read(ranges, 0, 16, head.readUInt32BE(entry + 8) + rangeAt);
      return { path, size, scripts: bits.filter(([bit]) => hasBit(ranges, bit)).map(([, script]) => script) };
    }
    return undefined;
  } catch {
    // A file that is cut off, or is no font.
    return undefined;
  } finally {
    await file.close();
  }
}

function hasBit(ranges: Buffer, bit: number): boolean {
  return ((ranges.readUInt32BE(Math.floor(bit / 32) * 4) >>> (bit % 32)) & 1) === 1;
}

/** The fonts that a text needs, and the scripts of it for which there are none. */
export function fontsFor(
  { added }: FontFiles,
  scripts: readonly string[],
  language: string,
): { files: string[]; missing: string[] } {
  const files = new Set([...filesOf('base'), ...filesOf('mono')]);
  const missing: string[] = [];
  const han = hanOf(language, scripts);
  for (const script of scripts) {
    const found = facesOf(added, script, han);
    if (found.length === 0) missing.push(script);
    for (const file of found) files.add(file);
  }
  return { files: [...files], missing };
}

function facesOf(added: readonly AddedFont[], script: string, han: Han): string[] {
  const own = added.filter(({ scripts }) => scripts.includes(script));
  if (script === 'Hani') return hanFaces(own, han);
  if (script === 'Hira' || script === 'Kana') return filesOf('Jpan');
  const known = script in packaged ? filesOf(script as Packaged) : [];
  return known.length > 0 ? known : firstFamily(own);
}

/** How files of fonts are called that have the characters of one language. */
const hanNames: Readonly<Record<Han, RegExp>> = { ja: /JP/i, ko: /KR/i, hk: /HK|TC/i, tw: /TC|TW/i, zh: /SC|CN/i };

/** Chinese characters look different in each language: Japanese, Korean, traditional and simplified Chinese. */
function hanFaces(own: readonly AddedFont[], han: Han): string[] {
  const fitting = own.filter(({ path }) => hanNames[han].test(familyOf(path)));
  const packagedOnes = filesOf('Jpan');
  if (fitting.length > 0) return fitting.map(({ path }) => path);
  if (packagedOnes.length > 0 && (han === 'ja' || own.length === 0)) return packagedOnes;
  return own.length === 0 ? packagedOnes : firstFamily(own);
}

/** All files of the first family: regular and bold are files of their own. */
function firstFamily(own: readonly AddedFont[]): string[] {
  const [first] = own;
  if (first === undefined) return [];
  return own.filter(({ path }) => familyOf(path) === familyOf(first.path)).map(({ path }) => path);
}

/** The name of a font's file without its style. */
function familyOf(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/[-_].*$/, '');
}
