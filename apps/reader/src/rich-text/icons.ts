import { createRequire } from 'node:module';
import { classes, el, type HtmlElement } from './html.js';

/** A collection of icons as its package has it: drawings by name, and further names of them. */
interface Collection {
  icons: Readonly<Record<string, { body: string } | undefined>>;
  aliases: Readonly<Record<string, { parent: string } | undefined>>;
}

const { icons, aliases } = createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as Collection;

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
const boxed = '0 0 24 24';

/**
 * An icon as a drawing in the color of the text. `label`: what it says where nothing else does; otherwise it is an
 * ornament beside a text.
 */
export function icon(name: string, { label, color }: { label?: string; color?: string | undefined } = {}): HtmlElement {
  const said = label === undefined ? { ariaHidden: 'true' } : { role: 'img', ariaLabel: label };
  const body = drawingOf(name) ?? drawingOf(unknownIcon) ?? '';
  return el(
    'span',
    { ...classes('icon', color), ...said },
    { type: 'raw', value: `<svg viewBox="${boxed}">${body}</svg>` },
  );
}

/** Drawings come from the collection alone; a name only chooses one. */
function drawingOf(name: string): string | undefined {
  const own = Object.hasOwn(icons, name) ? name : Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  const parent = Object.hasOwn(aliases, name) ? aliases[name]?.parent : undefined;
  return icons[own ?? parent ?? '']?.body;
}
