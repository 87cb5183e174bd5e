import { type Expression } from 'acorn';
import { ExpressionError, type ExpressionErrorCode, type Range } from './error.js';
import { FORBIDDEN_NAMES, LIMITS } from './limits.js';
import { lowerCall, lowerChain, lowerMember, lowerParentheses } from './lower-access.js';
import { type LowerContext, type TreeOf } from './lower-context.js';
import { lowerArray, lowerIdentifier, lowerLiteral, lowerObject, lowerTemplate } from './lower-literals.js';
import { lowerBinary, lowerConditional, lowerLogical, lowerUnary } from './lower-operators.js';
import { type Node, type Program } from './node.js';

/** The accepted constructs; everything that is not here is refused. */
const ACCEPTED = {
  Literal: lowerLiteral,
  TemplateLiteral: lowerTemplate,
  ArrayExpression: lowerArray,
  ObjectExpression: lowerObject,
  Identifier: lowerIdentifier,
  UnaryExpression: lowerUnary,
  BinaryExpression: lowerBinary,
  LogicalExpression: lowerLogical,
  ConditionalExpression: lowerConditional,
  MemberExpression: lowerMember,
  ChainExpression: lowerChain,
  ParenthesizedExpression: lowerParentheses,
  CallExpression: lowerCall,
} satisfies { [K in Expression['type']]?: (tree: TreeOf<K>, context: LowerContext) => Node };

const isAccepted = (type: string): type is keyof typeof ACCEPTED => Object.hasOwn(ACCEPTED, type);

interface State {
  nodes: number;
  depth: number;
  slots: number;
  readonly scopes: Map<string, number>[];
}

/** Readable name of a refused construct: `NewExpression` -> `new`. */
const describe = (type: string): string =>
  type
    .replace(/(?:Expression|Literal)$/u, '')
    .replace(/(?<=[a-z])(?=[A-Z])/gu, ' ')
    .toLowerCase();

const lowerTree = (tree: Expression, context: LowerContext): Node => {
  if (!isAccepted(tree.type)) {
    const what =
      tree.type === 'ArrowFunctionExpression'
        ? 'A function outside of an array method'
        : `The construct "${describe(tree.type)}"`;
    return context.refuse('forbidden', `${what} is not part of the language`, tree);
  }
  const handler = ACCEPTED[tree.type] as (tree: Expression, context: LowerContext) => Node;
  return handler(tree, context);
};

const enter = (state: State, tree: Expression, refuse: LowerContext['refuse']): void => {
  state.nodes++;
  state.depth++;
  if (state.nodes > LIMITS.nodes) refuse('too_complex', `The expression has more than ${LIMITS.nodes} nodes`, tree);
  if (state.depth > LIMITS.depth)
    refuse('too_complex', `The expression is more than ${LIMITS.depth} levels deep`, tree);
};

const createContext = (source: string, variables: readonly string[], state: State): LowerContext => {
  const refuse = (code: ExpressionErrorCode, message: string, { start, end }: Range): never => {
    throw new ExpressionError({ code, message, start, end }, source);
  };
  const lower = (tree: Expression): Node => {
    // Neither parentheses nor the extent of an optional chain is a construct of its own.
    if (tree.type === 'ParenthesizedExpression' || tree.type === 'ChainExpression') return lowerTree(tree, context);
    enter(state, tree, refuse);
    const node = lowerTree(tree, context);
    state.depth--;
    return node;
  };
  const context: LowerContext = {
    refuse,
    lower,
    withParameters: (names, tree) => {
      const slots = names.map(() => state.slots++);
      state.scopes.push(new Map(names.map((name, position) => [name, slots[position] ?? 0])));
      const body = lower(tree);
      state.scopes.pop();
      return { slots, body };
    },
    slotOf: (name) => state.scopes.findLast((scope) => scope.has(name))?.get(name),
    isVariable: (name) => variables.includes(name),
    checkName: (name, where) => {
      if (FORBIDDEN_NAMES.has(name)) refuse('forbidden', `The name ${name} is not allowed`, where);
    },
  };
  return context;
};

/**
 * Turns a syntax tree into the expression's own nodes, refusing every construct that is not on the list.
 * @param variables the names an expression may begin with
 * @throws ExpressionError `forbidden`, `unknown_variable` or `too_complex`
 */
export const lower = (tree: Expression, source: string, variables: readonly string[]): Program => {
  const state: State = { nodes: 0, depth: 0, slots: 0, scopes: [] };
  const root = createContext(source, variables, state).lower(tree);
  return { root, slots: state.slots };
};
