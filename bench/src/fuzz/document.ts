import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Resolve, Schema } from './values.js';

/** A parameter of an operation, as the document has it. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

export interface DocumentedAnswer {
  headers?: Headers;
  content?: Record<string, { schema: Schema }>;
}

/** One operation of the served document. */
export interface Documented {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces. */
  path: string;
  parameters: readonly Parameter[];
  body: Schema | undefined;
  /** Media type of the body. */
  bodyType: string;
  bodyRequired: boolean;
  /** By status. */
  answers: Readonly<Record<string, DocumentedAnswer>>;
  /** Checks a JSON body of a status. */
  check(status: number): ValidateFunction | undefined;
  /** Whether a browser's session opens it. */
  takesSession: boolean;
}

export interface ServedDocument {
  operations: readonly Documented[];
  resolve: Resolve;
  /** The name of the parameter that stands behind a path, where the document has it. */
  childOf(path: string): string | undefined;
}

type Headers = Record<string, { schema: Schema }>;

/** An answer whose headers may stand in the components of the document. */
interface RawAnswer extends Omit<DocumentedAnswer, 'headers'> {
  headers?: Record<string, { schema: Schema } | { $ref: string }>;
}

interface RawOperation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, RawAnswer>;
  security?: Record<string, unknown>[];
}

const json = 'application/json';
const formats = {
  uri: (text: string) => URL.canParse(text),
  email: true,
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
} as const;

/** Reads the OpenAPI document that an installation serves. */
export async function readDocument(endpoint: string): Promise<ServedDocument> {
  const raw = (await (await fetch(`${endpoint}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, RawOperation>>;
    components: { schemas: Record<string, Schema>; headers: Headers };
  };
  const ajv = new Ajv2020({ strict: false, formats });
  ajv.addSchema(raw, 'openapi');
  const operations = Object.entries(raw.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, op]): Documented => {
      const checks = new Map<number, ValidateFunction>();
      const [[bodyType, body] = [json, undefined]] = Object.entries(op.requestBody?.content ?? {});
      return {
        id: op.operationId,
        method: method.toUpperCase() as Documented['method'],
        path,
        parameters: op.parameters,
        body: body?.schema,
        bodyType,
        bodyRequired: op.requestBody?.required ?? false,
        answers: answersOf(op, raw.components.headers),
        takesSession: op.security?.some((way) => 'session' in way) ?? false,
        check(status) {
          if (op.responses[status]?.content?.[json] === undefined) return undefined;
          const at = ['paths', path, method, 'responses', String(status), 'content', json, 'schema']
            .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
            .join('/');
          const check = checks.get(status) ?? ajv.compile({ $ref: `openapi#/${at}` });
          checks.set(status, check);
          return check;
        },
      };
    }),
  );
  const children = new Map(Object.keys(raw.paths).flatMap((path) => childIn(path)));
  return {
    operations,
    childOf: (path) => children.get(path),
    resolve: (reference) => raw.components.schemas[reference.replace('#/components/schemas/', '')] ?? {},
  };
}

/** The answers of an operation, with the headers that stand in the components of the document. */
function answersOf({ responses }: RawOperation, shared: Headers): Documented['answers'] {
  const resolved = ([name, header]: [string, Headers[string] | { $ref: string }]): [string, Headers[string]] => {
    if (!('$ref' in header)) return [name, header];
    const found = shared[header.$ref.replace('#/components/headers/', '')];
    if (found === undefined) throw new Error(`The document has no ${header.$ref}`);
    return [name, found];
  };
  return Object.fromEntries(
    Object.entries(responses).map(([status, { headers = {}, ...answer }]) => [
      status,
      { ...answer, headers: Object.fromEntries(Object.entries(headers).map(resolved)) },
    ]),
  );
}

function childIn(path: string): [string, string][] {
  const [, parent, name] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  return parent === undefined || name === undefined ? [] : [[parent, name]];
}
