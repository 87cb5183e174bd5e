import { append } from '../model/append.js';
import { canonical } from '../model/canonical.js';
import { cellNodes, readTable, renamed } from '../model/table.js';
import { type Block, type Fragment, type Inline, type Json, type Node } from '../model/types.js';

const KEYS = new Set(['key', 'meta']);

/** Content as a comparable string, remembered per node: equal for nodes that differ in generated keys and ids only. */
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

  private compute(node: Node | Fragment): string {
    if (node.object === 'text') return JSON.stringify(node.leaves.map((leaf) => [leaf.text, leaf.marks]));
    if (node.object === 'fragment') return `${node.fragment ?? ''}(${this.all(node.nodes)})`;
    if (node.object === 'block' && node.type === 'table') return this.table(node);
    return `${node.type}${canonical(node.data, KEYS)}(${this.all(node.nodes ?? [])}|${this.all(node.fragments ?? [])})`;
  }

  /** A table by what it shows: columns and records stand at their place, not under their generated ids. */
  private table(node: Block): string {
    const read = readTable(node);
    const { columns, rows, view, data } = read;
    const places = new Map(columns.map((column, i) => [column.id, `#${i}`]));
    const rest = { ...data, records: undefined, definition: undefined, view: undefined };
    const shown = canonical(renamed(view, places));
    const head = columns.map((column) => canonical({ ...column, id: '' }));
    const body = rows.map((row) => columns.map((column) => this.cell(cellNodes(read, column, row.values[column.id]), row.values[column.id])));
    return JSON.stringify(['table', canonical(rest), shown, head, body]);
  }

  private cell(nodes: Node[] | undefined, value: Json | undefined): string {
    return nodes ? this.all(nodes) : canonical(value);
  }
}

/** The words of a node, for judging how alike two nodes are. */
export function wordsOf(node: Node | Fragment | Inline): string[] {
  const out: string[] = [];
  const add = (each: Node | Fragment): void => {
    if (each.object === 'text') for (const leaf of each.leaves) append(out, leaf.text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []);
    else {
      if (each.object !== 'fragment') for (const value of Object.values(each.data)) if (typeof value === 'string') out.push(value);
      for (const child of each.nodes ?? []) add(child);
      if (each.object !== 'fragment') for (const part of each.fragments ?? []) add(part);
    }
  };
  add(node);
  return out;
}

/** Words with how often they occur. */
export type Bag = { counts: ReadonlyMap<string, number>; size: number };

export function bagOf(words: readonly string[]): Bag {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, size: words.length };
}

/** Shared words over all words, 0 to 1 (Dice). */
export function similarity(a: Bag, b: Bag): number {
  if (a.size === 0 || b.size === 0) return a.size === b.size ? 1 : 0;
  const [few, many] = a.counts.size <= b.counts.size ? [a.counts, b.counts] : [b.counts, a.counts];
  let shared = 0;
  for (const [word, count] of few) shared += Math.min(count, many.get(word) ?? 0);
  return (2 * shared) / (a.size + b.size);
}
