import { entries, T, type Elem, type Path } from '../bson/index.js';

/** A condition on the values at one path. */
export interface Pred {
  readonly k: 'pred';
  readonly path: Path;
  readonly op: string;
  /** Whether `test` is also asked about each element of an array at the end of the path. */
  readonly each: boolean;
  readonly test: (v: Elem | undefined) => boolean;
  /** The operand as sent; the planner derives bounds from it. */
  readonly operand: Elem;
}

/** A parsed filter. */
export type Node =
  | Pred
  | { readonly k: 'and' | 'or' | 'nor'; readonly nodes: readonly Node[] }
  | { readonly k: 'not'; readonly node: Node };

/** Whether an object holds operators. The first name decides, as in the server. */
export function isOperatorObject(v: Elem): boolean {
  if (v.t !== T.object || v.b[v.s + 4] === 0) return false;
  return v.b[v.s + 5] === 0x24 && !/^\$(ref|id|db)$/.test(entries(v)[0]?.[0] ?? '');
}
