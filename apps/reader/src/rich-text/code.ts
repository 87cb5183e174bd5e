import type { Block, Node } from '@scriptorium/rich-text';
import { filled } from '../texts/texts.js';
import { blocksIn, oneOf, textIn } from '@scriptorium/rich-text/reading';
import { classes, el, type HtmlNode } from './html.js';
import { languageName } from './languages.js';
import type { RenderContext } from './render-context.js';

/** The text of a block of code, line by line. */
export function codeLines(node: Block): string[] {
  return blocksIn(node, 'code-line').map((line) => textOf(line));
}

function textOf(node: Node): string {
  if (node.object === 'text') return node.leaves.map(({ text }) => text).join('');
  return (node.nodes ?? []).map(textOf).join('') + (node.object === 'inline' ? textIn(node.data, 'expression') : '');
}

/** Whether a block of code is text alone, without notes and values in its lines. */
export function isPlainCode(node: Block): boolean {
  return blocksIn(node, 'code-line').every(({ nodes = [] }) => nodes.every(({ object }) => object === 'text'));
}

/** Lines of code that are shown before the rest is opened, unless the author says how many. */
const shownLines = 10;

export function code(ctx: RenderContext, node: Block): HtmlNode[] {
  const { data } = node;
  const lines = blocksIn(node, 'code-line');
  const title = textIn(data, 'title');
  const language = languageName(textIn(data, 'syntax'));
  const label = title || [ctx.say.code, textIn(data, 'syntax')].filter(Boolean).join(': ');
  // Whoever uses a keyboard alone has to be able to move what is too wide.
  const part = { tabIndex: 0, role: 'group', ariaLabel: label };
  const style = classes(
    oneOf(data, 'overflow', ['wrap']),
    data['lineNumbers'] === true && 'numbered',
    data['fullWidth'] === true && 'full-width',
  );
  const about = [
    title === '' ? undefined : el('span', classes('title'), title),
    language === '' ? undefined : el('span', classes('language'), language),
  ].filter((part) => part !== undefined);
  const whole = el(
    'figure',
    classes('code'),
    about.length === 0 ? undefined : el('figcaption', {}, about),
    el('pre', { ...part, ...style }, codeRows(ctx, node)),
  );
  return isLong(node, lines.length)
    ? [el('details', classes('code-more'), el('summary', {}, more(ctx, title, lines.length)), whole)]
    : [whole];
}

/** The lines of a block of code, with their words marked if they are. */
export function codeRows(ctx: Pick<RenderContext, 'linesOf' | 'inlines'>, node: Block): HtmlNode {
  const lines = blocksIn(node, 'code-line');
  const marked = ctx.linesOf(node);
  const isDiff = ['diff', 'patch'].includes(textIn(node.data, 'syntax').toLowerCase());
  const rows = lines.map((line, index) => {
    const inside = marked?.[index] ?? ctx.inlines(line.nodes ?? []);
    const newLine = index === lines.length - 1 ? undefined : '\n';
    return el(
      'span',
      classes('line', line.data['highlighted'] === true && 'marked', isDiff && changeOf(line)),
      inside,
      newLine,
    );
  });
  return el('code', {}, rows);
}

/** What a line of a comparison says of it. */
function changeOf(line: Block): 'added' | 'removed' | undefined {
  const text = textOf(line);
  if (/^(?:\+\+\+|---) /.test(text)) return undefined;
  return text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : undefined;
}

function more({ say }: RenderContext, title: string, count: number): string {
  return filled(title === '' ? say.codeOfLines : say.titleOfLines, { title, count });
}

/** Whether code is closed until somebody opens it. */
function isLong({ data }: Block, lines: number): boolean {
  const { collapsedLineCount: given } = data;
  return data['expandable'] === true && lines > (typeof given === 'number' && given > 0 ? given : shownLines);
}

/** A text to give to an assistant. */
export function prompt(ctx: RenderContext, node: Block): HtmlNode[] {
  const description = textIn(node.data, 'description');
  const inside = blocksIn(node, 'code').flatMap((block) => code(ctx, block));
  const open = oneOf(node.data, 'defaultExpanded', ['hidden']) === undefined;
  return [
    el(
      'details',
      { open, ...classes('expandable') },
      el('summary', {}, description || ctx.say.prompt),
      el('div', {}, inside),
    ),
  ];
}
