import { reasonStatus } from '../kernel/errors.js';
import { inputSchema, type Operation } from '../kernel/operation.js';
import { refusalsOf } from '../openapi/refusals.js';

/** Operations that answer 201 with nothing, as what they make has no answer of its own. */
const emptyWhenCreated: ReadonlySet<string> = new Set(['applyTemplateToSpace']);

/** Ids and routes that a table has more than once. */
export function repeatedIn(table: readonly Operation[]): string[] {
  const routes = table.flatMap(({ method, path, aliases }) =>
    [path, ...aliases].map((one) => `${method} ${one.replace(/\{\w+\}/g, '{}')}`),
  );
  const names = [...table.map(({ id }) => id), ...routes];
  return names.filter((name, index) => names.indexOf(name) !== index);
}

/** The rules that an operation of a table breaks. */
export function brokenBy(op: Operation, table: readonly Operation[]): string[] {
  const inPath = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const hasAnswer = op.response !== undefined || emptyWhenCreated.has(op.id);
  const rules: Record<string, boolean> = {
    'its parameters are those of its path': Object.keys(op.params.shape).sort().join() === inPath.sort().join(),
    'somebody may call it': op.access.allow.length > 0,
    'a DELETE answers 205': op.method !== 'DELETE' || op.status === 205,
    'a GET has no body': op.method !== 'GET' || op.body === undefined,
    'with 200, 201 and 202 there is an answer, with no other status': [200, 201, 202].includes(op.status) === hasAnswer,
    'a redirect is for browsers': op.status !== 302 || op.browser,
    'its refusals have a status': refusalsOf(table)(op).every((reason) => reasonStatus[reason] >= 400),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

/**
 * What a service gets of a request with no more than its path, parsed by the gateway, and parsed once more; null if
 * refused.
 */
export function parsedTwice(op: Operation): { once: unknown; twice: unknown } | null {
  const params = Object.fromEntries(Object.keys(op.params.shape).map((name) => [name, 'x']));
  const schema = inputSchema(op);
  const once = schema.safeParse({ params, query: {}, body: {} });
  return once.success ? { once: once.data, twice: schema.parse(once.data) } : null;
}

/** The ids of the operations in an OpenAPI document. */
export function idsIn(document: Record<string, unknown>): string[] {
  const paths = document['paths'] as Record<string, Record<string, { operationId: string }>>;
  return Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
}
