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

/** A part of the document, or the name of the component that it is. */
type Shared<T> = T | { $ref: string };

interface RawAnswer extends Omit<DocumentedAnswer, 'headers'> {
  description: string;
  headers?: Record<string, Shared<Headers[string]>>;
}

interface RawOperation {
  operationId: string;
  parameters: Shared<Parameter>[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Shared<RawAnswer>>;
  security?: Record<string, unknown>[];
}

interface RawDocument {
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, Schema> };
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
  const raw = (await (await fetch(`${endpoint}/openapi.json`)).json()) as RawDocument;
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
        parameters: op.parameters.map((one) => resolved(raw, one)),
        body: body?.schema,
        bodyType,
        bodyRequired: op.requestBody?.required ?? false,
        answers: answersOf(op, raw),
        takesSession: op.security?.some((way) => 'session' in way) ?? false,
        check(status) {
          const place = status in op.responses ? status : 'default';
          const answer = op.responses[place];
          if (answer === undefined || resolved(raw, answer).content?.[json] === undefined) return undefined;
          const pointer = '$ref' in answer ? partsOf(answer) : ['paths', path, method, 'responses', String(place)];
          const at = [...pointer, 'content', json, 'schema']
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

/** The answers of an operation, with the parts of them that stand in the components of the document. */
function answersOf(op: RawOperation, raw: RawDocument): Documented['answers'] {
  const answers = Object.entries(op.responses).flatMap(([place, shared]) => {
    const { headers = {}, description, ...answer } = resolved(raw, shared);
    const named = Object.entries(headers).map(([name, header]) => [name, resolved(raw, header)] as const);
    // Refusals that say nothing of the operation are told together, with their statuses.
    const statuses = place === 'default' ? (description.match(/\b\d{3}\b/g) ?? []) : [place];
    return statuses.map((status) => [status, { ...answer, headers: Object.fromEntries(named) }] as const);
  });
  return Object.fromEntries(answers);
}

function partsOf({ $ref }: { $ref: string }): string[] {
  return $ref.slice(2).split('/');
}

function resolved<T extends object>(raw: RawDocument, part: Shared<T>): T {
  if (!('$ref' in part)) return part;
  const found = partsOf(part).reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], raw);
  if (found === undefined) throw new Error(`The document has no ${part.$ref}`);
  return found as T;
}

function childIn(path: string): [string, string][] {
  const [, parent, name] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  return parent === undefined || name === undefined ? [] : [[parent, name]];
}
