import { paragraph } from '../model/build.js';
import { type Block } from '../model/types.js';
import { type Md } from '../syntax/md.js';
import { lineOf } from './elements.js';
import { inlines } from './inlines.js';
import { type ParseContext } from './context.js';
import { buildTable, widest, type ReadCell } from './table-model.js';

const childrenOf = (node: Md | undefined): Md[] => node?.children ?? [];

/** A pipe table: every column holds text. */
export function gfmTable(ctx: ParseContext, node: Md): Block {
  const [headers = [], ...rows] = childrenOf(node).map(childrenOf);
  const width = widest([headers, ...rows]);
  const columns = Array.from({ length: width }, (_, i) => ({
    column: { title: lineOf(childrenOf(headers[i])), type: 'text', ...alignment(node.align?.[i]) },
  }));
  const cells = rows.map((row): ReadCell[] => columns.map((_, i) => cellBlocks(ctx, childrenOf(row[i]))));
  return buildTable(ctx, columns, cells, { type: 'grid', hideHeader: false });
}

/** A cell is one paragraph, unless it names its paragraphs. */
function cellBlocks(ctx: ParseContext, children: Md[]): Block[] {
  return children.some((child) => child.type === 'html' && /^<(p|ul|ol|pre)\b/i.test(child.value ?? ''))
    ? ctx.blocks(children)
    : [paragraph(inlines(ctx, children))];
}

const alignment = (align: string | null | undefined): { textAlignment?: string } =>
  align ? { textAlignment: align } : {};
