import { admit, expectArray, readProperty, toKey } from './access.js';
import { spendCharacters, toText } from './convert.js';
import { type Emit } from './emit-context.js';
import { type Range } from './error.js';
import { type NodeOf } from './node.js';
import { type Evaluate, type Runtime, spend } from './runtime.js';
import { type Value } from './value.js';

export const emitLiteral = (node: NodeOf<'literal'>): Evaluate => {
  const { value } = node;
  return (runtime) => {
    spend(runtime, 1, node);
    return value;
  };
};

export const emitTemplate = (node: NodeOf<'template'>, emit: Emit): Evaluate => {
  const [first = '', ...rest] = node.texts;
  const parts = node.parts.map((part, position) => ({ evaluate: emit(part), after: rest[position] ?? '' }));
  return (runtime) => {
    spend(runtime, 1, node);
    let text = first;
    for (const { evaluate, after } of parts) {
      const part = toText(runtime, evaluate(runtime), node);
      spendCharacters(runtime, text.length + part.length + after.length, node);
      text += part + after;
    }
    return text;
  };
};

const spreadInto = (runtime: Runtime, target: Value[], value: Value, where: Range): void => {
  const source = expectArray(runtime, value, where);
  spend(runtime, source.length, where);
  for (let position = 0; position < source.length; position++)
    target.push(readProperty(runtime, source, position, where));
};

export const emitArray = (node: NodeOf<'array'>, emit: Emit): Evaluate => {
  const items = node.items.map((item) => ({ spread: item.spread, where: item.node, evaluate: emit(item.node) }));
  return (runtime) => {
    spend(runtime, 1, node);
    const array: Value[] = [];
    for (const { spread, where, evaluate } of items) {
      const value = evaluate(runtime);
      if (spread) spreadInto(runtime, array, value, where);
      else array.push(value);
    }
    return admit(runtime, array, node);
  };
};

export const emitObject = (node: NodeOf<'object'>, emit: Emit): Evaluate => {
  const entries = node.entries.map(({ key, value }) => ({
    key: typeof key === 'string' ? key : { where: key, evaluate: emit(key) },
    evaluate: emit(value),
  }));
  return (runtime) => {
    spend(runtime, 1, node);
    const object = Object.create(null) as Record<string | number, Value>;
    for (const { key, evaluate } of entries) {
      const name = typeof key === 'string' ? key : toKey(runtime, key.evaluate(runtime), key.where);
      object[name] = evaluate(runtime);
    }
    return object;
  };
};
