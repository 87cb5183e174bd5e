import type * as z from 'zod';
import { AppError, type ErrorDetail, type Operation } from '@scriptorium/contracts';
import { detailsOf, maxDetails } from './issues.js';
import { compileQuery, parametersOf, type ReadQuery } from './query.js';

/** The parts of a request as they arrived: path parameters, target with its query, body. */
export interface RawInput {
  params: Record<string, string>;
  url: string;
  body: unknown;
}

/** Validates a request and returns the JSON that the service receives; throws `invalid_request` with every failing field. */
export type Validate = (raw: RawInput) => Buffer;

type Part = (raw: RawInput, failed: ErrorDetail[]) => unknown;

/** Compiles the validation of an operation. Parts that it does not have cost nothing. */
export function compileValidator(op: Operation): Validate {
  const params = partOf('params', op.params, (raw) => raw.params);
  const query = queryPart(op);
  const body = bodyPart(op);
  return (raw) => {
    const failed: ErrorDetail[] = [];
    const input = { params: params(raw, failed), query: query(raw, failed), body: body(raw, failed) };
    if (failed.length > 0) throw refusal(failed);
    return Buffer.from(JSON.stringify(input));
  };
}

function partOf(name: string, schema: z.ZodType, pick: (raw: RawInput) => unknown): Part {
  if (isEmpty(schema)) return () => nothing;
  return (raw, failed) => {
    const read = schema.safeParse(pick(raw));
    if (read.success) return read.data;
    failed.push(...detailsOf(name, read.error.issues));
    return undefined;
  };
}

const nothing = {};

function isEmpty(schema: z.ZodType): boolean {
  return 'shape' in schema && Object.keys(schema.shape as object).length === 0;
}

function queryPart(op: Operation): Part {
  if (isEmpty(op.query)) {
    return (raw) => {
      parametersOf(raw.url);
      return nothing;
    };
  }
  const read: ReadQuery = compileQuery(op.query);
  return partOf('query', op.query, (raw) => read(raw.url));
}

function bodyPart(op: Operation): Part {
  if (op.body === undefined) return () => undefined;
  const part = partOf('body', op.body, (raw) => raw.body);
  return (raw, failed) => {
    if (raw.body !== undefined) return part(raw, failed);
    if (!op.bodyOptional) failed.push({ path: 'body', message: 'A JSON body is required' });
    return undefined;
  };
}

function refusal(failed: readonly ErrorDetail[]): AppError {
  const [first] = failed;
  const rest = failed.length - 1;
  const more = rest === 0 ? '' : ` (and ${rest} more)`;
  return new AppError('invalid_request', failed.slice(0, maxDetails), { message: `${first?.path}: ${first?.message}${more}` });
}
