import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { jsonSchemaOf } from './json-schema.js';

/** The packages of the client, each with the document that it was made from. */
export const packages = { '0.146': '@gitbook/api', '0.202': '@gitbook/api-0.202' } as const;
export type ClientVersion = keyof typeof packages;

interface RawOperation {
  operationId: string;
  requestBody?: unknown;
  responses: Record<string, unknown>;
}

/** An operation of the document. */
export interface ReferenceOperation {
  id: string;
  /** Method and path with empty braces, as `GET /orgs/{}`. */
  place: string;
  path: string;
  /** What differs from the schema of an answer: one line a difference, with `*` for the places in lists. */
  differencesOf(status: number, body: unknown): string[];
  /** What differs from the schema of the body of a request. */
  refusalsOf(body: unknown): string[];
  /** Whether an answer of this status is documented, and whether it has a body. */
  answer(status: number): 'none' | 'empty' | 'json';
}

const formats = {
  uri: (text: string) => URL.canParse(text),
  email: true,
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  date: true,
} as const;
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const json = 'application/json';
const key = 'reference';

/** A path with its parameters left out, for comparing paths that name them differently. */
export function placeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '')}`;
}

/** Reads the document of a client. */
export async function readReference(version: ClientVersion): Promise<readonly ReferenceOperation[]> {
  const file = createRequire(import.meta.url).resolve(`${packages[version]}/spec/openapi.json`);
  const raw = jsonSchemaOf(JSON.parse(await readFile(file, 'utf8'))) as {
    paths: Record<string, Partial<Record<(typeof methods)[number], RawOperation>>>;
  };
  const ajv = new Ajv2020({ strict: false, formats, allErrors: true, logger: false });
  ajv.addSchema(raw, key);
  return Object.entries(raw.paths).flatMap(([path, of]) =>
    methods.flatMap((method) => {
      const found = of[method];
      return found === undefined ? [] : [operationOf({ ajv, raw, path, method }, found)];
    }),
  );
}

interface Place {
  ajv: Ajv2020;
  raw: unknown;
  path: string;
  method: string;
}

function operationOf({ ajv, raw, path, method }: Place, { operationId, responses }: RawOperation): ReferenceOperation {
  const checks = new Map<string, ValidateFunction | undefined>();
  const check = (at: readonly string[]): ValidateFunction | undefined => {
    const found = at.join('/');
    if (!checks.has(found)) {
      const to = schemaAt(raw, ['paths', path, method, ...at]);
      checks.set(found, to === undefined ? undefined : ajv.compile({ $ref: `${key}#/${to}` }));
    }
    return checks.get(found);
  };
  const differences = (found: ValidateFunction | undefined, body: unknown): string[] =>
    found === undefined || found(body) ? [] : linesOf(found.errors ?? []);
  return {
    id: operationId,
    path,
    place: placeOf(method, path),
    differencesOf: (status, body) => differences(check(['responses', String(status)]), body),
    refusalsOf: (body) => differences(check(['requestBody']), body),
    answer(status) {
      if (responses[status] === undefined) return 'none';
      return schemaAt(raw, ['paths', path, method, 'responses', String(status)]) === undefined ? 'empty' : 'json';
    },
  };
}

/** The pointer to the schema of a body below a place of the document, where references are followed. */
function schemaAt(raw: unknown, at: readonly string[]): string | undefined {
  const [pointer, found] = follow(raw, at);
  if (found === undefined) return undefined;
  const [schema, isThere] = follow(raw, [...pointer, 'content', json, 'schema']);
  return isThere === undefined
    ? undefined
    : schema.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
}

/** What stands at a place, and the place at which it stands itself. */
function follow(raw: unknown, at: readonly string[]): [string[], unknown] {
  let [pointer, found]: [string[], unknown] = [[], raw];
  for (const part of at) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return [[], undefined];
    [pointer, found] = [[...pointer, part], (found as Record<string, unknown>)[part]];
    const { $ref: to } = (found ?? {}) as { $ref?: unknown };
    if (typeof to !== 'string' || pointer.at(-1) === 'schema') continue;
    const parts = to.slice('#/'.length).split('/');
    [pointer, found] = follow(
      raw,
      parts.map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~')),
    );
  }
  return [pointer, found];
}

/** Where no alternative fits, the errors of those that go deepest are told. */
function linesOf(errors: readonly ErrorObject[]): string[] {
  const told = errors.filter(({ keyword }) => keyword !== 'if' && keyword !== 'anyOf');
  const undecided = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath);
  const depthOf = ({ instancePath }: ErrorObject): number => instancePath.split('/').length;
  const deepest = (at: string): number =>
    Math.max(...told.filter(({ instancePath }) => instancePath.startsWith(at)).map(depthOf));
  const kept = told.filter((error) =>
    undecided.every((at) => !error.instancePath.startsWith(at) || depthOf(error) === deepest(at)),
  );
  return [...new Set(kept.map(lineOf))];
}

function lineOf({ instancePath, message, params }: ErrorObject): string {
  const at = instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  const allowed = (params as { allowedValues?: unknown[] }).allowedValues;
  return `${at === '' ? '/' : at} ${message ?? ''}${allowed === undefined ? '' : ` (${allowed.join(', ')})`}`;
}
