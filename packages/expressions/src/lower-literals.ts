import { type Expression, type Property, type SpreadElement } from 'acorn';
import { type LowerContext, type TreeOf } from './lower-context.js';
import { type ArrayLiteral, type Node, type ObjectLiteral } from './node.js';
import { isAlwaysArray } from './static-type.js';

const at = ({ start, end }: { start: number; end: number }) => ({ start, end });

export const lowerLiteral = (tree: TreeOf<'Literal'>, { refuse }: LowerContext): Node => {
  const { value } = tree;
  if (tree.regex !== undefined) return refuse('forbidden', 'Regular expressions are not part of the language', tree);
  if (typeof value === 'bigint' || (typeof value === 'object' && value !== null)) {
    return refuse('forbidden', 'Big integers are not part of the language', tree);
  }
  return { kind: 'literal', value, ...at(tree) };
};

export const lowerTemplate = (tree: TreeOf<'TemplateLiteral'>, { lower }: LowerContext): Node => {
  const texts = tree.quasis.map((text) => text.value.cooked ?? '');
  if (tree.expressions.length === 0) return { kind: 'literal', value: texts.join(''), ...at(tree) };
  return { kind: 'template', texts, parts: tree.expressions.map(lower), ...at(tree) };
};

const lowerItem = (
  item: Expression | SpreadElement | null,
  tree: TreeOf<'ArrayExpression'>,
  context: LowerContext,
): ArrayLiteral['items'][number] => {
  if (item === null) return context.refuse('forbidden', 'An array has no holes', tree);
  if (item.type !== 'SpreadElement') return { spread: false, node: context.lower(item) };
  const node = context.lower(item.argument);
  if (!isAlwaysArray(node)) return context.refuse('forbidden', 'Only what is certainly an array can be spread', item);
  return { spread: true, node };
};

export const lowerArray = (tree: TreeOf<'ArrayExpression'>, context: LowerContext): Node => ({
  kind: 'array',
  items: tree.elements.map((item) => lowerItem(item, tree, context)),
  ...at(tree),
});

const staticKey = (property: Property, context: LowerContext): string => {
  const { key } = property;
  if (key.type === 'Identifier') return key.name;
  if (key.type === 'Literal' && (typeof key.value === 'string' || typeof key.value === 'number'))
    return String(key.value);
  return context.refuse('forbidden', 'A property name is a name, a string or a number', property);
};

const lowerKey = (property: Property, context: LowerContext): string | Node => {
  const key = property.computed ? context.lower(property.key) : staticKey(property, context);
  if (typeof key !== 'string' && !(key.kind === 'literal' && typeof key.value === 'string')) return key;
  const name = typeof key === 'string' ? key : String(key.value);
  context.checkName(name, property.key);
  return name;
};

const lowerEntry = (property: Property | SpreadElement, context: LowerContext): ObjectLiteral['entries'][number] => {
  if (property.type === 'SpreadElement') return context.refuse('forbidden', 'Objects cannot be spread', property);
  if (property.kind !== 'init' || property.method) {
    return context.refuse('forbidden', 'An object has no methods and no accessors', property);
  }
  return { key: lowerKey(property, context), value: context.lower(property.value) };
};

export const lowerObject = (tree: TreeOf<'ObjectExpression'>, context: LowerContext): Node => ({
  kind: 'object',
  entries: tree.properties.map((property) => lowerEntry(property, context)),
  ...at(tree),
});

export const lowerIdentifier = (tree: TreeOf<'Identifier'>, context: LowerContext): Node => {
  const { name } = tree;
  context.checkName(name, tree);
  if (name === 'undefined') return { kind: 'literal', value: undefined, ...at(tree) };
  const slot = context.slotOf(name);
  if (slot !== undefined) return { kind: 'local', slot, ...at(tree) };
  if (context.isVariable(name)) return { kind: 'variable', name, ...at(tree) };
  return context.refuse('unknown_variable', `There is no variable ${name}`, tree);
};
