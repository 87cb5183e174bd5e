import { type Block, type Fragment, type Json, type Node, type TableData } from '../model/types.js';

/** A short notation of nodes: type, data in braces, text in quotes with its marks. */
export function show(node: Node | Fragment): string {
  if (node.object === 'text')
    return node.leaves.map(({ text, marks }) => `"${text}"${marks.map((mark) => `^${mark.type}`).join('')}`).join('');
  const data = node.object === 'fragment' || Object.keys(node.data).length === 0 ? '' : JSON.stringify(node.data);
  const inside = [...(node.nodes ?? []), ...(node.object === 'fragment' ? [] : (node.fragments ?? []))]
    .map(show)
    .join(' ');
  return `${node.object === 'fragment' ? `#${node.fragment ?? ''}` : node.type}${data}(${inside})`;
}

export type ShownTable = { columns: unknown[]; rows: unknown[][]; view: unknown; options: unknown };

/** What a table says: `#0` for the generated id of the first column, text cells in the notation of {@link show}. */
export function showTable(table: Block): ShownTable {
  const { view, records, definition, ...options } = table.data as TableData;
  const ids = Object.keys(definition);
  const cells = new Map((table.fragments ?? []).map((part) => [part.fragment, part.nodes.map(show).join(' ')]));
  const cell = (value: Json | undefined): unknown => (typeof value === 'string' ? (cells.get(value) ?? value) : value);
  return {
    columns: ids.map((column) => ({ ...definition[column], id: undefined })),
    rows: Object.values(records).map((record) => ids.map((column) => cell(record.values[column]))),
    view: JSON.parse(ids.reduce((text, id, at) => text.replaceAll(id, `#${at}`), JSON.stringify(view))) as unknown,
    options,
  };
}
