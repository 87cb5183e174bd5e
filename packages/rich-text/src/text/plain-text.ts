import { API_BLOCKS } from '../model/content.js';
import { ownValue } from '../model/json.js';
import { cellNodes, optionLabel, readTable, valueText, type Table } from '../model/table.js';
import {
  type Block,
  type Fragment,
  type Inline,
  type Json,
  type Node,
  type RichDocument,
  type TableColumn,
} from '../model/types.js';
import { emojiCharacter } from '../syntax/emoji.js';

const str = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const join = (parts: string[], separator: string): string => parts.filter((part) => part !== '').join(separator);

/** The text of a document: one line per block, a blank line between top-level blocks, tabs between cells. */
export function toPlainText(document: RichDocument): string {
  return join(document.nodes.map(blockText), '\n\n');
}

/** The text of inline nodes. */
export function inlineText(nodes: readonly Node[]): string {
  return nodes
    .map((node) =>
      node.object === 'text'
        ? node.leaves.map((leaf) => leaf.text).join('')
        : node.object === 'inline'
          ? inlineNodeText(node)
          : blockText(node),
    )
    .join('');
}

const fragmentText = (part: Fragment): string =>
  join(
    part.nodes.map((node) => (node.object === 'block' ? blockText(node) : inlineText([node]))),
    '\n',
  );

function inlineNodeText(node: Inline): string {
  const { data } = node;
  switch (node.type) {
    case 'emoji':
      return emojiCharacter(str(data['code']));
    case 'mention':
      return str(data['text']);
    case 'inline-image':
      return join([str(data['alt']), str(data['caption'])], ' ');
    case 'inline-math':
      return str(data['formula']);
    case 'expression':
      return str(data['expression']);
    case 'button':
      return str(data['label']);
    case 'icon':
    case 'anchor':
      return '';
    default: {
      const own = inlineText(node.nodes ?? []);
      const notes = join((node.fragments ?? []).map(fragmentText), '\n');
      return notes === '' ? own : `${own} (${notes})`;
    }
  }
}

/** The text of one block and everything inside it. */
export function blockText(node: Block): string {
  const { data } = node;
  switch (node.type) {
    case 'math':
      return str(data['formula']);
    case 'table':
      return tableText(node);
    case 'code':
      return join([str(data['title']), (node.nodes ?? []).map((line) => inlineText([line])).join('\n')], '\n');
    case 'image':
    case 'drawing':
      return join([str(data['alt']), ...(node.fragments ?? []).map(fragmentText)], '\n');
    case 'embed':
      return join((node.fragments ?? []).map(fragmentText), '\n') || str(data['url']);
    case 'integration':
      return propsText(data['props']);
    default:
      return join(
        [
          str(data['title']),
          apiText(node),
          str(data['description']),
          ...children(node),
          ...(node.fragments ?? []).map(fragmentText),
        ],
        '\n',
      );
  }
}

/** What a block of an API names: how an operation is called, a webhook, schemas. */
function apiText({ type, data }: Block): string {
  const { method, path, name, schemas } = data;
  if (type === 'openapi-schemas') return Array.isArray(schemas) ? join(schemas.map(str), ' ') : '';
  if (!API_BLOCKS.has(type)) return '';
  return join([str(method).toUpperCase(), str(path) || str(name)], ' ');
}

function children(node: Block): string[] {
  const nodes = node.nodes ?? [];
  return nodes.some((child) => child.object === 'block')
    ? nodes.map((child) => inlineText([child]))
    : [inlineText(nodes)];
}

/** Text among the properties of an integration block. */
function propsText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return join(Object.values(value).map(propsText), '\n');
}

function tableText(node: Block): string {
  const table = readTable(node);
  const header = table.columns.map((column) => column.title ?? '').join('\t');
  const rows = table.rows.map((row) =>
    table.columns.map((column) => cellText(table, column, ownValue(row.values, column.id))).join('\t'),
  );
  return join(
    [header, ...rows].map((row) => row.trimEnd()),
    '\n',
  );
}

function cellText(table: Table, column: TableColumn, value: Json | undefined): string {
  const nodes = cellNodes(table, column, value);
  if (nodes)
    return join(
      nodes.map((node) => inlineText([node])),
      '\n',
    );
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return valueText(value);
  const all = Array.isArray(value) ? value : [value];
  return all.map((item) => itemText(column, item)).join(' ');
}

function itemText(column: TableColumn, item: Json): string {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) return str(item['title']) || str(item['url']);
  return str(optionLabel(column, item)) || valueText(item);
}
