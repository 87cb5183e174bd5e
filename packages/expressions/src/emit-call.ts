import { readProperty } from './access.js';
import { type Emit, SKIPPED } from './emit-context.js';
import { ARRAY_METHODS, CALLBACK_METHODS } from './methods-array.js';
import { STRING_METHODS } from './methods-string.js';
import { type Call, type Callback } from './node.js';
import { type Evaluate, halt, type Runtime, spend } from './runtime.js';
import { kindOf, type Value } from './value.js';

type Invoke = (runtime: Runtime, receiver: Value) => Value;

/** A receiver without the method: skipped by `receiver.method?.()` as long as it has no data of that name. */
const missing = (runtime: Runtime, receiver: Value, node: Call): Value => {
  if (node.optionalCall && readProperty(runtime, receiver, node.method, node) == null) return SKIPPED;
  return halt(runtime, 'wrong_type', `${node.method} is not available on ${kindOf(receiver)}`, node);
};

const plainInvoke = (node: Call, emit: Emit): Invoke => {
  const args = node.args.map(emit);
  const onText = STRING_METHODS.get(node.method);
  const onArray = ARRAY_METHODS.get(node.method);
  return (runtime, receiver) => {
    if (typeof receiver === 'string' && onText !== undefined) {
      return onText(
        runtime,
        receiver,
        args.map((argument) => argument(runtime)),
        node,
      );
    }
    if (Array.isArray(receiver) && onArray !== undefined) {
      return onArray(
        runtime,
        receiver as readonly Value[],
        args.map((argument) => argument(runtime)),
        node,
      );
    }
    return missing(runtime, receiver, node);
  };
};

const callbackInvoke = (node: Call, { slots, body }: Callback, emit: Emit): Invoke => {
  const method = CALLBACK_METHODS.get(node.method);
  const evaluate = emit(body);
  const [elementSlot, positionSlot, arraySlot] = slots;
  return (runtime, receiver) => {
    if (!Array.isArray(receiver) || method === undefined) return missing(runtime, receiver, node);
    const array = receiver as readonly Value[];
    return method(
      runtime,
      array,
      (element, position) => {
        if (elementSlot !== undefined) runtime.locals[elementSlot] = element;
        if (positionSlot !== undefined) runtime.locals[positionSlot] = position;
        if (arraySlot !== undefined) runtime.locals[arraySlot] = array;
        return evaluate(runtime);
      },
      node,
    );
  };
};

export const emitCall = (node: Call, emit: Emit): Evaluate => {
  const { optional, method } = node;
  const object = emit(node.receiver);
  const invoke = node.callback === undefined ? plainInvoke(node, emit) : callbackInvoke(node, node.callback, emit);
  return (runtime) => {
    spend(runtime, 1, node);
    const receiver = object(runtime);
    if (receiver === SKIPPED) return SKIPPED;
    if (receiver == null) {
      if (optional) return SKIPPED;
      return halt(runtime, 'no_value', `Cannot call ${method} of ${String(receiver)}`, node);
    }
    return invoke(runtime, receiver);
  };
};
