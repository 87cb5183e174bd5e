import type { Block, Node } from '@scriptorium/rich-text';
import { blocksIn, partOf, textIn } from '@scriptorium/rich-text/reading';
import { plainText } from './inlines.js';
import type { SheetContext } from './sheet-context.js';
import type { SheetElement, SheetNode } from './sheet-nodes.js';
import { cleanText, inCode } from './texts.js';

/** Lines of code up to which words are coloured: it takes a millisecond a line. */
const mostColoured = 500;

/** A block of code, and the notes on it. */
export function code(ctx: SheetContext, node: Block): SheetNode[] {
  const lines = blocksIn(node, 'code-line');
  const { data } = node;
  const syntax = textIn(data, 'syntax').toLowerCase();
  const isColoured = lines.length <= mostColoured && /^[\w+#.-]{1,32}$/.test(syntax);
  const title = cleanText(textIn(data, 'title'), ctx.breaking);
  const marked = lines.flatMap((line, index) => (line.data['highlighted'] === true ? [index + 1] : []));
  const block: SheetElement = {
    t: 'code',
    x: lines.map((line) => cleanText(plainText(line), inCode)).join('\n'),
    count: lines.length,
    ...(isColoured ? { lang: syntax } : {}),
    ...(title === '' ? {} : { title }),
    ...(data['lineNumbers'] === true ? { n: true } : {}),
    ...(marked.length === 0 ? {} : { m: marked }),
    ...changeOf(lines),
  };
  const notes = lines
    .flatMap((line) => notesIn(line))
    .map((body) => ctx.blocks({ ...ctx, depth: ctx.depth + 1 }, body));
  return notes.length === 0 ? [block] : [block, { t: 'small', c: [{ t: 'ol', tight: false, s: 1, i: notes }] }];
}

/** Code that was added or removed as a whole: its words have no marks of their own. */
function changeOf(lines: readonly Block[]): { change?: string } {
  const kinds = new Set(lines.flatMap(({ nodes = [] }) => nodes.flatMap(changesIn)));
  const [only] = kinds;
  return kinds.size === 1 && only !== undefined && only !== '' ? { change: only } : {};
}

function changesIn(node: Node): string[] {
  if (node.object !== 'text') return [];
  return node.leaves.map(
    ({ marks }) => marks.find(({ type }) => type === 'inserted' || type === 'removed')?.type ?? '',
  );
}

function notesIn(line: Block): Node[][] {
  return (line.nodes ?? []).flatMap((node) => {
    if (node.object !== 'inline' || node.type !== 'annotation') return [];
    const named = partOf(node, 'annotation-body');
    return [named.length > 0 ? named : (node.fragments ?? []).flatMap(({ nodes }) => nodes)];
  });
}

/** A text to give to an assistant. */
export function prompt(ctx: SheetContext, node: Block): SheetNode[] {
  const title = cleanText(textIn(node.data, 'description'), ctx.breaking) || 'Prompt';
  return [{ t: 'panel', title: [title], b: blocksIn(node, 'code').flatMap((block) => code(ctx, block)) }];
}
