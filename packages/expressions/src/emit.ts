import { emitChain, emitIndex, emitLocal, emitMember, emitVariable } from './emit-access.js';
import { emitCall } from './emit-call.js';
import { type Emit } from './emit-context.js';
import { emitArray, emitLiteral, emitObject, emitTemplate } from './emit-literals.js';
import { emitBinary, emitConditional, emitLogical, emitUnary } from './emit-operators.js';
import { type Node, type NodeOf } from './node.js';
import { type Evaluate } from './runtime.js';

const EMITTERS: { readonly [K in Node['kind']]: (node: NodeOf<K>, emit: Emit) => Evaluate } = {
  literal: emitLiteral,
  template: emitTemplate,
  array: emitArray,
  object: emitObject,
  variable: emitVariable,
  local: emitLocal,
  member: emitMember,
  index: emitIndex,
  chain: emitChain,
  unary: emitUnary,
  binary: emitBinary,
  logical: emitLogical,
  conditional: emitConditional,
  call: emitCall,
};

/** Compiles a node to a closure over its compiled children. No source is ever generated. */
export const emit: Emit = (node) => {
  const emitter = EMITTERS[node.kind] as (node: Node, emit: Emit) => Evaluate;
  return emitter(node, emit);
};
