import type { Block, Node } from '@scriptorium/rich-text';
import { codeRows } from '../code.js';
import { radioTabs } from '../containers.js';
import { textIn } from '@scriptorium/rich-text/reading';
import { classes, el, type HtmlNode } from '../html.js';
import type { RenderContext } from '../render-context.js';

/** Blocks of code, as tabs where there are several. */
export function codeTabs(ctx: RenderContext, legend: string, nodes: readonly Node[]): HtmlNode[] {
  const blocks = nodes.filter((node): node is Block => node.object === 'block');
  const [only] = blocks;
  if (only === undefined) return [];
  const titled = blocks.map((block) => ({ title: textIn(block.data, 'title'), body: () => shown(ctx, legend, block) }));
  if (blocks.length > 1)
    return radioTabs(ctx, { names: ['tabs', 'of-code'], legend: el('legend', classes('unseen'), legend) }, titled);
  return [el('p', classes('code-title'), labelOf(legend, only)), shown(ctx, legend, only)];
}

/** Whoever uses a keyboard alone has to be able to move what is too wide. */
function shown(ctx: RenderContext, legend: string, block: Block): HtmlNode {
  return el('pre', { tabIndex: 0, role: 'group', ariaLabel: labelOf(legend, block) }, codeRows(ctx, block));
}

function labelOf(legend: string, { data }: Block): string {
  const title = textIn(data, 'title');
  return title === legend || title === '' ? legend : `${legend}: ${title}`;
}
