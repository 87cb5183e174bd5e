import { createRequire } from 'node:module';
import { classes, el, type HtmlElement } from './html.js';

/** A collection of icons as its package has it: drawings by name, and further names of them. */
interface Collection {
  width?: number;
  height?: number;
  icons: Readonly<Record<string, Drawn | undefined>>;
  aliases?: Readonly<Record<string, { parent: string } | undefined>>;
}
interface Drawn {
  body: string;
  width?: number;
  height?: number;
}

const load = createRequire(import.meta.url);
/** The names of icons in outlines. */
const outlines = load('@iconify-json/lucide/icons.json') as Collection;
/** Those of Font Awesome: filled ones, outlines, and brands. */
const others = [
  load('@iconify-json/fa6-solid/icons.json'),
  load('@iconify-json/fa6-regular/icons.json'),
  load('@iconify-json/fa6-brands/icons.json'),
] as Collection[];

/** Names that authors know from other collections. */
const otherNames: Readonly<Record<string, string>> = {
  'arrow-right-to-bracket': 'log-in',
  bars: 'menu',
  'book-open-reader': 'book-user',
  'brackets-curly': 'braces',
  bullhorn: 'megaphone',
  'chart-simple': 'chart-column',
  'circle-exclamation': 'circle-alert',
  'circle-info': 'info',
  'circle-question': 'circle-question-mark',
  'circle-xmark': 'circle-x',
  'clock-rotate-left': 'rotate-ccw-clock',
  'code-branch': 'git-branch',
  'code-merge': 'git-merge',
  'code-pull-request': 'git-pull-request',
  comment: 'message-circle',
  comments: 'messages-square',
  cube: 'box',
  cubes: 'boxes',
  envelope: 'mail',
  'face-smile': 'smile',
  'file-lines': 'file-text',
  'floppy-disk': 'save',
  gear: 'settings',
  gears: 'cog',
  'grid-2': 'layout-grid',
  'hand-wave': 'hand',
  language: 'languages',
  'layer-group': 'layers',
  'location-dot': 'map-pin',
  'magnifying-glass': 'search',
  'mobile-screen': 'smartphone',
  'paper-plane': 'send',
  'pen-to-square': 'square-pen',
  'puzzle-piece': 'puzzle',
  'rectangle-terminal': 'square-terminal',
  robot: 'bot',
  'right-left': 'arrow-left-right',
  'screwdriver-wrench': 'wrench',
  'shield-halved': 'shield-half',
  'table-columns': 'columns-2',
  'triangle-exclamation': 'triangle-alert',
  'wand-magic-sparkles': 'wand-sparkles',
  xmark: 'x',
};

/** What stands for an icon whose name is not known here. */
const unknownIcon = 'square-dashed';

export interface IconOptions {
  /** What it says where nothing else does; otherwise it is an ornament beside a text. */
  label?: string;
  color?: string | undefined;
  /** Filled rather than in outlines, where there is such a drawing. */
  isSolid?: boolean;
}

/** An icon as a drawing in the color of the text. */
export function icon(name: string, { label, color, isSolid = false }: IconOptions = {}): HtmlElement {
  const said = label === undefined ? { ariaHidden: 'true' } : { role: 'img', ariaLabel: label };
  const { body, box } = drawingOf(name, isSolid) ?? drawingOf(unknownIcon, false) ?? { body: '', box: '0 0 24 24' };
  return el(
    'span',
    { ...classes('icon', color), ...said },
    { type: 'raw', value: `<svg viewBox="${box}">${body}</svg>` },
  );
}

/** Drawings come from the collections alone; a name only chooses one. */
function drawingOf(given: string, isSolid: boolean): { body: string; box: string } | undefined {
  const name = given.replace(/^(?:fa-(?:solid|regular|light|thin|duotone|brands) )?fa-/, '');
  for (const collection of isSolid ? [...others, outlines] : [outlines, ...others]) {
    const found =
      entryOf(collection, name) ?? (collection === outlines ? entryOf(outlines, knownName(name)) : undefined);
    const { width = collection.width ?? 24, height = collection.height ?? 24 } = found ?? {};
    if (found !== undefined) return { body: found.body, box: `0 0 ${width} ${height}` };
  }
  return undefined;
}

function entryOf({ icons, aliases = {} }: Collection, name: string): Drawn | undefined {
  const parent = Object.hasOwn(aliases, name) ? (aliases[name]?.parent ?? '') : name;
  return Object.hasOwn(icons, parent) ? icons[parent] : undefined;
}

function knownName(name: string): string {
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? '') : '';
}
