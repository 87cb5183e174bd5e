import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import { AppError, invalidPage, type Operation, type Reason } from '@scriptorium/contracts';
import { conditionHeaders, conditionParameters, wantsStrict } from '../http/conditions.js';
import { detailsOf, maxDetails, type Failure, messageOf } from './issues.js';
import { parseFormBody, parseJsonBody } from './body.js';
import { compileQuery, parametersOf } from './query.js';
import { hasOthers, leavesOut, unknownFields, unknownParameters, type Unknown } from './unknown-fields.js';

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

/** Is told how a request is handled, before it is refused: `ignored` has the paths of what nothing reads. */
export type Note = (isStrict: boolean, ignored: readonly string[]) => void;

/**
 * Validates a request. Fields and parameters that nothing reads are told to `note`, or refused if the request asks for
 * that. Those that limit access are refused in any case.
 * @throws `invalid_request` with every failing field of path, query, headers and body; `too_large` if all of them have
 * only too many bytes, `field_not_taken` if all of them are limits that nothing reads
 */
export type Validate = (raw: RawInput, note?: Note) => Accepted;

/** What is wrong with a request, and what nothing reads of it. */
interface Findings {
  failed: Failure[];
  unknown: Unknown[];
}

type Part<T> = (raw: T, findings: Findings) => unknown;

/** Compiles the validation of an operation. */
export function compileValidator(op: Operation): Validate {
  const params = partOf('params', op.params);
  const query = queryPart(op);
  const body = bodyPart(op);
  return (raw, note) => {
    const findings: Findings = { failed: [], unknown: [] };
    const { failed, unknown } = findings;
    const given = parametersOf(raw.url);
    if (given.has('__proto__')) failed.push({ path: 'query', message: 'Must not have a key __proto__' });
    const input = { params: params(raw.params, findings), query: query(given, findings), body: body(raw, findings) };
    const conditions = conditionHeaders(op, raw.headers, given, failed);
    const isStrict = wantsStrict(raw.headers);
    const limiting = isStrict ? [] : unknown.filter(({ limits }) => limits);
    const ignored = isStrict ? [] : unknown.filter(({ limits }) => !limits).map(({ path }) => path);
    if (isStrict || ignored.length > 0) note?.(isStrict, ignored);
    const refused = [...failed, ...(isStrict ? unknown : limiting.map(asRefused))];
    if (refused.length > 0) throw refusal(refused);
    return { input: Buffer.from(JSON.stringify(input)), conditions };
  };
}

/** Nobody may rely on a limit that is not there, so it is refused without being asked. */
function asRefused({ path, message }: Unknown): Failure {
  return { path, message: `${message}, and limits access: nothing was done without it`, reason: 'field_not_taken' };
}

function partOf(name: string, schema: z.ZodType): Part<unknown> {
  if (isEmpty(schema)) return () => nothing;
  return (raw, { failed }) => {
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
  const read = isEmpty(op.query) ? () => nothing : compileQuery(op.query);
  const known = new Set([...Object.keys(op.query.shape), ...conditionParameters(op)]);
  return (given, findings) => {
    if (hasOthers(given, known)) findings.unknown.push(...unknownParameters(given, known));
    return part(read(given), findings);
  };
}

function bodyPart(op: Operation): Part<RawInput> {
  const { body: schema } = op;
  if (schema === undefined) return bodyThatIsDropped;
  const part = partOf('body', schema);
  const parse = op.consumes === 'application/json' ? parseJsonBody : parseFormBody;
  return ({ body: bytes }, findings) => {
    const { failed, unknown } = findings;
    if (bytes !== undefined) {
      const before = failed.length;
      const value = parse(bytes, failed);
      if (failed.length > before) return undefined;
      const kept = part(value, findings);
      if (kept === undefined || leavesOut(value, kept)) unknown.push(...unknownFields('body', schema, value, kept));
      return kept;
    }
    if (!op.bodyOptional) failed.push({ path: 'body', message: 'A body is required' });
    return undefined;
  };
}

/** The body of an operation that takes none is not read. */
function bodyThatIsDropped({ headers }: RawInput, { unknown }: Findings): undefined {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  if (coding !== undefined || length !== '0') unknown.push({ path: 'body', message: 'This operation takes no body' });
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
