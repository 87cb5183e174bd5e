import { fragmentsOf, TEXT_INLINES, VOID_INLINES } from './content.js';
import { ownValue } from './json.js';
import { readTable } from './table.js';
import { type Block, type Fragment, type Inline } from './types.js';

/** The fragments that have a place in their node, under the name of that place; and those that no place shows. */
export type SortedFragments = { shown: Fragment[]; hidden: Fragment[] };

/**
 * A fragment goes by its `fragment`, or where that names no place, by its `type`. Of two cells of one name the last is
 * shown.
 */
export function sortFragments(node: Block | Inline): SortedFragments {
  const parts = node.fragments ?? [];
  // What nobody knows stays as it is; a note is read whatever it is called.
  if (node.object === 'inline' && !VOID_INLINES.has(node.type) && !TEXT_INLINES.has(node.type))
    return { shown: parts, hidden: [] };
  const names = placesIn(node);
  const named = parts.map((part) => withName(part, names));
  const last = new Map(named.map((part, i) => [part?.fragment, i]));
  const isShown = (part: Fragment | undefined, i: number): part is Fragment =>
    part !== undefined && (node.type !== 'table' || last.get(part.fragment) === i);
  const keepsAll = node.type === 'annotation';
  return {
    shown: named.flatMap((part, i) => (isShown(part, i) ? [part] : keepsAll ? parts.slice(i, i + 1) : [])),
    hidden: keepsAll ? [] : parts.filter((_, i) => !isShown(named[i], i)),
  };
}

function withName(part: Fragment, names: ReadonlySet<string>): Fragment | undefined {
  if (part.fragment !== undefined && names.has(part.fragment)) return part;
  return part.type !== undefined && names.has(part.type) ? { ...part, fragment: part.type } : undefined;
}

/** What the places for fragments of a node are called. */
function placesIn(node: Block | Inline): ReadonlySet<string> {
  if (node.type === 'annotation') return new Set(['annotation-body']);
  return node.object === 'block' && node.type === 'table' ? cellNames(node) : new Set(fragmentsOf(node.type));
}

/** What the records of a table call the cells of its columns. */
function cellNames(node: Block): Set<string> {
  const { columns, rows } = readTable(node);
  return new Set(
    rows.flatMap((row) =>
      columns.map(({ id }) => ownValue(row.values, id)).filter((value) => typeof value === 'string'),
    ),
  );
}
