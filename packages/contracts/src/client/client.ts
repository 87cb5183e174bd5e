import type * as z from 'zod';
import { foreignAnswer, request, type CallConditions, type ClientOptions, type LooseCall } from './client-request.js';
import type { Operation, ResultOf } from '../kernel/operation.js';
import { operations, type Operations } from '../services.js';

export { urlOf, type ClientOptions } from './client-request.js';

type Part<Name extends string, T> = T extends z.ZodType
  ? Record<never, never> extends z.input<T>
    ? { [K in Name]?: z.input<T> }
    : { [K in Name]: z.input<T> }
  : unknown;

/** The input of a call: parameters, query and body, if the operation has them. */
export type CallOf<O extends Operation> = Part<'params', O['params']> &
  Part<'query', O['query']> &
  Part<'body', O['body']> &
  CallConditions;

type AnswerOf<O extends Operation> = O['response'] extends z.ZodType ? z.output<O['response']> : ResultOf<O>;

type Method<O extends Operation> =
  Record<never, never> extends CallOf<O>
    ? (call?: CallOf<O>) => Promise<AnswerOf<O>>
    : (call: CallOf<O>) => Promise<AnswerOf<O>>;

/** One method for each operation, named by its id. */
export type Client = { [K in keyof Operations]: Operations[K] extends Operation ? Method<Operations[K]> : never };

/**
 * A typed client of the whole API, made from the operation table. Errors are thrown as `AppError` with the server's
 * reason; a deletion returns whether there was something to delete.
 */
export function createClient(options: ClientOptions): Client {
  const entries = Object.entries(operations).map(([id, op]) => [id, (call: LooseCall = {}) => send(options, op, call)]);
  return Object.fromEntries(entries) as Client;
}

/** Calls one operation; also operations without a method of the client, which are those of operators. */
export function callOperation<O extends Operation>(
  options: ClientOptions,
  op: O,
  call: CallOf<O>,
): Promise<AnswerOf<O>> {
  return send(options, op, call as LooseCall) as Promise<AnswerOf<O>>;
}

async function send(options: ClientOptions, op: Operation, call: LooseCall): Promise<unknown> {
  const response = await request(
    options,
    op,
    call,
    { accept: op.produces },
    AbortSignal.timeout(options.timeoutMs ?? 30_000),
  );
  if (op.response !== undefined) {
    const text = await response.text();
    return op.produces === 'application/json' ? jsonIn(text, options, response) : text;
  }
  return op.method === 'DELETE' ? response.status === 205 : undefined;
}

function jsonIn(text: string, options: ClientOptions, response: Response): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw foreignAnswer(options, response);
  }
}
