import { createHash } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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

/** The faces of packages, by script; those of `base` are given to every layout. */
const packaged = {
  base: ['noto-sans', 'NotoSans', ['400Regular', '700Bold', '400Regular_Italic', '700Bold_Italic']],
  mono: ['ibm-plex-mono', 'IBMPlexMono', ['400Regular', '700Bold', '400Regular_Italic']],
  Arab: ['noto-sans-arabic', 'NotoSansArabic', ['400Regular', '700Bold']],
  Deva: ['noto-sans-devanagari', 'NotoSansDevanagari', ['400Regular', '700Bold']],
  Hebr: ['noto-sans-hebrew', 'NotoSansHebrew', ['400Regular', '700Bold']],
  Jpan: ['noto-sans-jp', 'NotoSansJP', ['400Regular', '700Bold']],
  Thai: ['noto-sans-thai', 'NotoSansThai', ['400Regular', '700Bold']],
  Zsye: ['noto-emoji', 'NotoEmoji', ['400Regular']],
} as const satisfies Record<string, readonly [name: string, prefix: string, faces: readonly string[]]>;

type Packaged = keyof typeof packaged;

/** The files of a package's faces; none when it is not installed. */
function filesOf(script: Packaged): string[] {
  const [name, prefix, faces] = packaged[script];
  try {
    const folder = dirname(require.resolve(`@expo-google-fonts/${name}/package.json`));
    return faces.map((face) => join(folder, face, `${prefix}_${face}.ttf`));
  } catch {
    return [];
  }
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
  const isJapanese = language.startsWith('ja') || scripts.some((script) => script === 'Hira' || script === 'Kana');
  for (const script of scripts) {
    const found = facesOf(added, script, { language, isJapanese });
    if (found.length === 0) missing.push(script);
    for (const file of found) files.add(file);
  }
  return { files: [...files], missing };
}

interface Han {
  language: string;
  isJapanese: boolean;
}

function facesOf(added: readonly AddedFont[], script: string, han: Han): string[] {
  const own = added.filter(({ scripts }) => scripts.includes(script));
  if (script === 'Hani') return hanFaces(own, han);
  if (script === 'Hira' || script === 'Kana') return filesOf('Jpan');
  const known = script in packaged ? filesOf(script as Packaged) : [];
  if (known.length > 0) return known;
  const [first] = own;
  return first === undefined
    ? []
    : own.filter(({ path }) => familyOf(path) === familyOf(first.path)).map(({ path }) => path);
}

/** Chinese characters look different in each language: Japanese, Korean, traditional and simplified Chinese. */
function hanFaces(own: readonly AddedFont[], { language, isJapanese }: Han): string[] {
  const wanted = isJapanese
    ? /JP/i
    : /^ko/.test(language)
      ? /KR/i
      : /^zh-?(tw|hk|hant)/i.test(language)
        ? /TC|HK/i
        : /SC|CN/i;
  const fitting = own.filter(({ path }) => wanted.test(familyOf(path)));
  const packagedOnes = filesOf('Jpan');
  if (fitting.length > 0) return fitting.map(({ path }) => path);
  if (packagedOnes.length > 0 && (isJapanese || own.length === 0)) return packagedOnes;
  const [first] = own;
  return first === undefined ? packagedOnes : [first.path];
}

/** The name of a font's file without its style. */
function familyOf(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/[-_].*$/, '');
}
