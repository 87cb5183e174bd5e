import type { Operation, OperationExample } from '@scriptorium/contracts';
import { tidy } from './tidy.js';

/** Longer examples, in characters of JSON, are left out: the schemas show what they do. */
const longest = 900;
/** The same of a resource, whose example stands for all operations that answer it. */
const longestResource = 2_500;

/** The exchange that shows an operation best: with a body, with items where it is a list, and then the shortest one. */
export function choose(op: Operation, exchanges: readonly OperationExample[]): OperationExample | undefined {
  const [best] = exchanges
    .map((exchange) => ofOperation(op, tidy(exchange)))
    .filter((exchange) => Object.keys(exchange).length > 0 && fits(op, exchange))
    .sort((a, b) => worth(b) - worth(a) || lengthOf(a) - lengthOf(b));
  return best;
}

function ofOperation(op: Operation, { request, answer }: OperationExample): OperationExample {
  return {
    ...(op.body !== undefined && request !== undefined && lengthOf(request) <= longest ? { request } : {}),
    ...(op.response !== undefined && answer !== undefined && lengthOf(answer) <= longestOf(op) ? { answer } : {}),
  };
}

/** Whether an exchange is as the schemas of the operation say, also when it is tidy. */
export function fits(op: Operation, { request, answer }: OperationExample): boolean {
  const isRequest = request === undefined || op.body?.safeParse(request).success === true;
  return isRequest && (answer === undefined || op.response?.safeParse(answer).success === true);
}

function longestOf({ response }: Operation): number {
  return response?.meta()?.id === undefined ? longest : longestResource;
}

function worth({ request, answer }: OperationExample): number {
  const { items } = (answer ?? {}) as { items?: unknown[] };
  const parts = [request !== undefined, answer !== undefined, items === undefined || items.length > 0];
  return parts.filter(Boolean).length;
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}
