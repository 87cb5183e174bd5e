import { admit, readProperty, toKey } from './access.js';
import { type Emit, SKIPPED } from './emit-context.js';
import { type NodeOf } from './node.js';
import { type Evaluate, spend } from './runtime.js';

export const emitVariable = (node: NodeOf<'variable'>): Evaluate => {
  const { name } = node;
  return (runtime) => {
    spend(runtime, 1, node);
    const { scope } = runtime;
    return Object.hasOwn(scope, name) ? admit(runtime, (scope as Record<string, unknown>)[name], node) : undefined;
  };
};

export const emitLocal = (node: NodeOf<'local'>): Evaluate => {
  const { slot } = node;
  return (runtime) => {
    spend(runtime, 1, node);
    return runtime.locals[slot];
  };
};

export const emitMember = (node: NodeOf<'member'>, emit: Emit): Evaluate => {
  const { key, optional } = node;
  const object = emit(node.object);
  return (runtime) => {
    spend(runtime, 1, node);
    const receiver = object(runtime);
    if (receiver === SKIPPED || (optional && receiver == null)) return SKIPPED;
    return readProperty(runtime, receiver, key, node);
  };
};

export const emitIndex = (node: NodeOf<'index'>, emit: Emit): Evaluate => {
  const { optional } = node;
  const object = emit(node.object);
  const key = emit(node.key);
  return (runtime) => {
    spend(runtime, 1, node);
    const receiver = object(runtime);
    if (receiver === SKIPPED || (optional && receiver == null)) return SKIPPED;
    return readProperty(runtime, receiver, toKey(runtime, key(runtime), node.key), node);
  };
};

export const emitChain = (node: NodeOf<'chain'>, emit: Emit): Evaluate => {
  const body = emit(node.body);
  return (runtime) => {
    const value = body(runtime);
    return value === SKIPPED ? undefined : value;
  };
};
