import { APART, canonical } from './canonical.js';
import { ownValue } from './json.js';
import { cellNodes, readTable, type Table, viewWithIds } from './table.js';
import { type Block, type Fragment, type Node, type TableColumn, type TableRecord } from './types.js';

/** Content as a comparable string, cached per node: equal for nodes that differ in generated keys and ids only. */
export class Signatures {
  private readonly known = new WeakMap<object, string>();

  of(node: Node | Fragment): string {
    let found = this.known.get(node);
    if (found === undefined) {
      found = this.compute(node);
      this.known.set(node, found);
    }
    return found;
  }

  all(nodes: readonly (Node | Fragment)[]): string {
    return nodes.map((node) => this.of(node)).join('\u0001');
  }

  /** Of what a row says in a column. */
  cell(table: Table, column: TableColumn, row: TableRecord): string {
    const value = ownValue(row.values, column.id);
    const nodes = cellNodes(table, column, value);
    return nodes ? this.all(nodes) : canonical(value);
  }

  private compute(node: Node | Fragment): string {
    if (node.object === 'text') return canonical(node.leaves.map((leaf) => [leaf.text, leaf.marks]));
    if (node.object === 'fragment') return `${JSON.stringify(node.fragment ?? '')}(${this.all(node.nodes)})`;
    if (node.object === 'block' && node.type === 'table') return this.table(node);
    return `${JSON.stringify(node.type)}${canonical(node.data, APART)}(${this.all(node.nodes ?? [])}|${this.all(node.fragments ?? [])})`;
  }

  /** A table by what it shows: columns and records stand at their place, not under their generated ids. */
  private table(node: Block): string {
    const read = readTable(node);
    const { columns, rows, view, data } = read;
    const places = new Map(columns.map((column, i) => [column.id, `#${i}`]));
    const rest = { ...data, records: undefined, definition: undefined, view: undefined };
    const shown = canonical(viewWithIds(view, places));
    const head = columns.map((column) => canonical({ ...column, id: '' }));
    const body = rows.map((row) => columns.map((column) => this.cell(read, column, row)));
    return JSON.stringify(['table', canonical(rest), shown, head, body]);
  }
}
