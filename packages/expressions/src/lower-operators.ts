import { type LowerContext, type TreeOf } from './lower-context.js';
import { type BinaryOperator, type LogicalOperator, type Node, type UnaryOperator } from './node.js';

const UNARY: ReadonlySet<string> = new Set<UnaryOperator>(['!', '-', '+', 'typeof']);
const BINARY: ReadonlySet<string> = new Set<BinaryOperator>([
  '==',
  '!=',
  '===',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  '+',
  '-',
  '*',
  '/',
  '%',
]);

const isUnary = (operator: string): operator is UnaryOperator => UNARY.has(operator);
const isBinary = (operator: string): operator is BinaryOperator => BINARY.has(operator);

export const lowerUnary = (tree: TreeOf<'UnaryExpression'>, { lower, refuse }: LowerContext): Node => {
  const { operator, start, end } = tree;
  if (!isUnary(operator)) return refuse('forbidden', `The operator ${operator} is not part of the language`, tree);
  return { kind: 'unary', operator, operand: lower(tree.argument), start, end };
};

export const lowerBinary = (tree: TreeOf<'BinaryExpression'>, { lower, refuse }: LowerContext): Node => {
  const { operator, left, right, start, end } = tree;
  if (!isBinary(operator) || left.type === 'PrivateIdentifier') {
    return refuse('forbidden', `The operator ${operator} is not part of the language`, tree);
  }
  return { kind: 'binary', operator, left: lower(left), right: lower(right), start, end };
};

export const lowerLogical = (tree: TreeOf<'LogicalExpression'>, { lower }: LowerContext): Node => {
  const operator: LogicalOperator = tree.operator;
  return {
    kind: 'logical',
    operator,
    left: lower(tree.left),
    right: lower(tree.right),
    start: tree.start,
    end: tree.end,
  };
};

export const lowerConditional = (tree: TreeOf<'ConditionalExpression'>, { lower }: LowerContext): Node => ({
  kind: 'conditional',
  test: lower(tree.test),
  consequent: lower(tree.consequent),
  alternate: lower(tree.alternate),
  start: tree.start,
  end: tree.end,
});
