import type * as z from 'zod';
import type { Operation, OperationExample } from '@scriptorium/contracts';
import { lengthOf, shorten } from './shorten.js';
import { tidy } from './tidy.js';

/** Longer examples, in characters of JSON, are shortened: the schemas show what they do. */
const longest = 300;
/** Those that cannot be made as short. */
const longestAtAll = 6_000;
/** The same of a resource, whose example stands for all operations that answer it. */
const longestResource = 1_000;

/** The exchange that shows an operation best: with a body, with items where it is a list, and then the shortest one. */
export function choose(op: Operation, exchanges: readonly OperationExample[]): OperationExample | undefined {
  const [best] = exchanges
    .map((exchange) => ofOperation(op, tidy(exchange)))
    .filter((exchange) => Object.keys(exchange).length > 0 && fits(op, exchange))
    .sort((a, b) => worth(b) - worth(a) || lengthOf(a) - lengthOf(b));
  return best;
}

function ofOperation(op: Operation, { request, answer }: OperationExample): OperationExample {
  const shown = {
    request: op.body === undefined ? undefined : shortened(request, longest, op.body),
    answer: op.response === undefined ? undefined : shortened(answer, longestOf(op), op.response),
  };
  return Object.fromEntries(Object.entries(shown).filter(([, part]) => part !== undefined));
}

function shortened(part: unknown, most: number, schema: z.ZodType): unknown {
  if (part === undefined) return undefined;
  return shorten(part, { longest: most, longestAtAll }, (shorter) => isComplete(shorter, schema));
}

/** Whether a part is as its schema says without a default of it: answers have what has a default. */
function isComplete(part: unknown, schema: z.ZodType): boolean {
  const { success, data } = schema.safeParse(part);
  return success && lengthOf(data) <= lengthOf(part);
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
