import {
  type ArrowFunctionExpression,
  type Expression,
  type MemberExpression,
  type Pattern,
  type SpreadElement,
} from 'acorn';
import { type LowerContext, type TreeOf } from './lower-context.js';
import { type Callback, type Node } from './node.js';
import { SIGNATURES } from './signatures.js';

const MAX_PARAMETERS = 3;

const objectOf = (tree: MemberExpression, { refuse }: LowerContext): Expression =>
  tree.object.type === 'Super' ? refuse('forbidden', 'super is not part of the language', tree) : tree.object;

export const lowerMember = (tree: TreeOf<'MemberExpression'>, context: LowerContext): Node => {
  const { start, end, optional, property } = tree;
  const object = context.lower(objectOf(tree, context));
  if (property.type === 'PrivateIdentifier')
    return context.refuse('forbidden', 'Private names are not part of the language', property);
  if (!tree.computed && property.type === 'Identifier') {
    context.checkName(property.name, property);
    return { kind: 'member', object, key: property.name, optional, start, end };
  }
  const key = context.lower(property);
  if (key.kind !== 'literal' || typeof key.value !== 'string')
    return { kind: 'index', object, key, optional, start, end };
  context.checkName(key.value, property);
  return { kind: 'member', object, key: key.value, optional, start, end };
};

export const lowerChain = (tree: TreeOf<'ChainExpression'>, { lower }: LowerContext): Node => ({
  kind: 'chain',
  body: lower(tree.expression),
  start: tree.start,
  end: tree.end,
});

export const lowerParentheses = (tree: TreeOf<'ParenthesizedExpression'>, { lower }: LowerContext): Node =>
  lower(tree.expression);

const methodName = (callee: MemberExpression): string | undefined => {
  const { property } = callee;
  if (!callee.computed) return property.type === 'Identifier' ? property.name : undefined;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
};

const withoutParentheses = (tree: Expression): Expression =>
  tree.type === 'ParenthesizedExpression' ? withoutParentheses(tree.expression) : tree;

const parameterName = (pattern: Pattern, { refuse, checkName }: LowerContext): string => {
  if (pattern.type !== 'Identifier') return refuse('forbidden', 'A parameter is a plain name', pattern);
  if (pattern.name === 'undefined') return refuse('forbidden', 'undefined cannot be a parameter', pattern);
  checkName(pattern.name, pattern);
  return pattern.name;
};

const lowerCallback = (arrow: ArrowFunctionExpression, context: LowerContext): Callback => {
  const { body, params } = arrow;
  if (arrow.async || body.type === 'BlockStatement') {
    return context.refuse('forbidden', 'A callback is an arrow function with an expression as its body', arrow);
  }
  if (params.length > MAX_PARAMETERS)
    return context.refuse('forbidden', `A callback has at most ${MAX_PARAMETERS} parameters`, arrow);
  return context.withParameters(
    params.map((parameter) => parameterName(parameter, context)),
    body,
  );
};

const callbackOf = (
  argument: Expression | undefined,
  method: string,
  tree: TreeOf<'CallExpression'>,
  context: LowerContext,
): Callback => {
  const arrow = argument === undefined ? undefined : withoutParentheses(argument);
  if (arrow?.type !== 'ArrowFunctionExpression') {
    return context.refuse('forbidden', `${method} takes an arrow function`, argument ?? tree);
  }
  return lowerCallback(arrow, context);
};

const plainArguments = (tree: TreeOf<'CallExpression'>, { refuse }: LowerContext): Expression[] =>
  tree.arguments.map((argument: Expression | SpreadElement) =>
    argument.type === 'SpreadElement' ? refuse('forbidden', 'Arguments cannot be spread', argument) : argument,
  );

export const lowerCall = (tree: TreeOf<'CallExpression'>, context: LowerContext): Node => {
  const { callee, start, end } = tree;
  if (callee.type !== 'MemberExpression')
    return context.refuse('forbidden', 'Only methods of a value can be called', tree);
  const method =
    methodName(callee) ?? context.refuse('forbidden', 'Only a method with a fixed name can be called', callee);
  const signature = SIGNATURES.get(method);
  if (signature === undefined)
    return context.refuse('forbidden', `The method ${method} is not available`, callee.property);
  const receiver = context.lower(objectOf(callee, context));
  const given = plainArguments(tree, context);
  if (given.length < signature.min || given.length > signature.max) {
    return context.refuse('forbidden', `${method} does not take ${given.length} arguments`, tree);
  }
  const callback = signature.callback ? callbackOf(given[0], method, tree, context) : undefined;
  const args = signature.callback ? [] : given.map(context.lower);
  return {
    kind: 'call',
    receiver,
    method,
    args,
    callback,
    optional: callee.optional,
    optionalCall: tree.optional,
    start,
    end,
  };
};
