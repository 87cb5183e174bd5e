import type { Operation } from '../kernel/operation.js';
import { share, type Components, type Json } from './components.js';

/** An example of an operation: the bodies of a request and of its answer, in JSON. */
export interface OperationExample {
  request?: unknown;
  answer?: unknown;
}

/** Examples by the ids of operations. */
export type OperationExamples = Readonly<Record<string, OperationExample>>;

/** Finds the examples of an operation, in the form of the document. */
export interface Examples {
  ofRequest(op: Operation): Json;
  ofAnswer(op: Operation, components: Components): Json;
}

/** Finds the examples of operations. That of a resource stands for all operations that answer it. */
export function examplesIn(table: readonly Operation[], given: OperationExamples): Examples {
  const ofResources = new Map<string, unknown>();
  for (const op of table) {
    const name = resourceOf(op);
    const answer = given[op.id]?.answer;
    if (name !== undefined && answer !== undefined && !ofResources.has(name)) ofResources.set(name, answer);
  }
  return {
    ofRequest: ({ id }) => inline(given[id]?.request),
    ofAnswer(op, components) {
      const name = resourceOf(op);
      if (name === undefined) return inline(given[op.id]?.answer);
      const value = ofResources.get(name);
      return value === undefined ? {} : { examples: { [name]: share(components, 'examples', name, { value }) } };
    },
  };
}

function inline(example: unknown): Json {
  return example === undefined ? {} : { example };
}

/** The name of the component that an operation answers with. */
function resourceOf({ response }: Operation): string | undefined {
  return response?.meta()?.id;
}
