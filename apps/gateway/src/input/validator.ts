import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import { AppError, invalidPage, type Operation, type Reason } from '@scriptorium/contracts';
import { conditionHeaders } from '../http/answers/conditions.js';
import { detailsOf, maxDetails, type Failure } from './issues.js';
import { parseFormBody } from './form-body.js';
import { parseJsonBody } from './json-body.js';
import { messageOf } from './messages.js';
import { compileQuery, parametersOf } from './query.js';

/** The parts of a request as they arrived: path parameters, target with its query, headers, bytes of a JSON body. */
export interface RawInput {
  params: Record<string, string>;
  url: string;
  headers: IncomingHttpHeaders;
  body: Uint8Array | undefined;
}

/** A valid request, as its service gets it. */
export interface Accepted {
  /** `{ params, query, body }` as JSON. */
  input: Buffer;
  /** Its conditions, as headers. */
  conditions: Record<string, string>;
}

/**
 * Validates a request.
 * @throws `invalid_request` with every failing field of path, query, headers and body; `too_large` if all of them have only
 * too many bytes
 */
export type Validate = (raw: RawInput) => Accepted;

type Part<T> = (raw: T, failed: Failure[]) => unknown;

/** Compiles the validation of an operation. */
export function compileValidator(op: Operation): Validate {
  const params = partOf('params', op.params);
  const query = queryPart(op);
  const body = bodyPart(op);
  return (raw) => {
    const failed: Failure[] = [];
    const given = parametersOf(raw.url);
    if (given.has('__proto__')) failed.push({ path: 'query', message: 'Must not have a key __proto__' });
    const input = { params: params(raw.params, failed), query: query(given, failed), body: body(raw.body, failed) };
    const conditions = conditionHeaders(op, raw.headers, given, failed);
    if (failed.length > 0) throw refusal(failed);
    return { input: Buffer.from(JSON.stringify(input)), conditions };
  };
}

function partOf(name: string, schema: z.ZodType): Part<unknown> {
  if (isEmpty(schema)) return () => nothing;
  return (raw, failed) => {
    const read = schema.safeParse(raw, { reportInput: true, error: messageOf });
    if (read.success) return read.data;
    failed.push(...detailsOf(name, read.error.issues));
    return undefined;
  };
}

const nothing = {};

function isEmpty(schema: z.ZodType): boolean {
  return 'shape' in schema && Object.keys(schema.shape as object).length === 0;
}

function queryPart(op: Operation): Part<URLSearchParams> {
  const part = partOf('query', op.query);
  if (isEmpty(op.query)) return part;
  const read = compileQuery(op.query);
  return (given, failed) => part(read(given), failed);
}

function bodyPart(op: Operation): Part<Uint8Array | undefined> {
  if (op.body === undefined) return () => undefined;
  const part = partOf('body', op.body);
  const parse = op.consumes === 'application/json' ? parseJsonBody : parseFormBody;
  return (bytes, failed) => {
    if (bytes !== undefined) {
      const before = failed.length;
      const value = parse(bytes, failed);
      return failed.length > before ? undefined : part(value, failed);
    }
    if (!op.bodyOptional) failed.push({ path: 'body', message: 'A body is required' });
    return undefined;
  };
}

function refusal(failed: readonly Failure[]): AppError {
  const [first] = failed;
  const rest = failed.length - 1;
  const details = failed.slice(0, maxDetails).map(({ path, message }) => ({ path, message }));
  // The same message as that of lists, which check the signature of a page.
  if (rest === 0 && first?.message === invalidPage)
    return new AppError('invalid_request', details, { message: invalidPage });
  const more = rest === 0 ? '' : ` (and ${rest} more)`;
  return new AppError(reasonFor(failed), details, { message: `${first?.path}: ${first?.message}${more}` });
}

/** The reason that all fields fail for. */
function reasonFor(failed: readonly Failure[]): Reason {
  const [first = 'invalid_request', ...others] = new Set(failed.map(({ reason }) => reason ?? 'invalid_request'));
  return others.length === 0 ? first : 'invalid_request';
}
