import { type Expression } from 'acorn';
import { type ExpressionErrorCode, type Range } from './error.js';
import { type Node } from './node.js';

/** What lowering knows while it walks: names in reach, and how much of the budget is used. */
export interface LowerContext {
  /** Lowers a child, one level deeper. */
  readonly lower: (tree: Expression) => Node;
  /** Lowers a callback's body with its parameters in reach. */
  readonly withParameters: (
    names: readonly string[],
    body: Expression,
  ) => { readonly slots: number[]; readonly body: Node };
  /** The slot of the innermost callback parameter of this name. */
  readonly slotOf: (name: string) => number | undefined;
  /** Whether the scope has this name. */
  readonly isVariable: (name: string) => boolean;
  /** @throws ExpressionError always */
  readonly refuse: (code: ExpressionErrorCode, message: string, where: Range) => never;
  /** @throws ExpressionError `forbidden` for a name that is never accepted */
  readonly checkName: (name: string, where: Range) => void;
}

/** Syntax trees of one type. */
export type TreeOf<K extends Expression['type']> = Extract<Expression, { type: K }>;
