import { expect, it } from '@jest/globals';
import { parse, validate } from '@readme/openapi-parser';
import { reasonStatus } from '../errors.js';
import { openApiDocument } from '../openapi.js';
import { inputSchema, type Operation } from '../operation.js';
import { refusalsOf } from '../refusals.js';

/** Operations that answer 201 with nothing, as what they make has no answer of its own. */
const emptyWhenCreated: ReadonlySet<string> = new Set(['applyTemplateToSpace']);

/** What holds for each table of operations: the specs of it, for a `describe`. */
export function checkOperationTable(table: readonly Operation[]): void {
  it('names each operation and each route once', () => {
    const ids = table.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const routes = table.flatMap(({ method, path, aliases }) =>
      [path, ...aliases].map((one) => `${method} ${one.replace(/\{\w+\}/g, '{}')}`),
    );
    expect(new Set(routes).size).toBe(routes.length);
  });

  it.each(table.map((op) => [op.id, op] as const))('declares %s consistently', (_id, op: Operation) => {
    const inPath = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(op.params.shape).sort()).toEqual(inPath.sort());
    expect(op.access.allow.length).toBeGreaterThan(0);
    expect(op.method === 'DELETE' ? op.status : 205).toBe(205);
    expect(op.method === 'GET' ? op.body : undefined).toBeUndefined();
    expect([201, 200].includes(op.status)).toBe(op.response !== undefined || emptyWhenCreated.has(op.id));
    if (op.status === 302) expect(op.browser).toBe(true);
    for (const reason of refusalsOf(table)(op)) expect(reasonStatus[reason]).toBeGreaterThanOrEqual(400);
  });

  it('has schemas that a service can apply to the output of the gateway', () => {
    for (const op of table) {
      const schema = inputSchema(op);
      const params = Object.fromEntries(Object.keys(op.params.shape).map((name) => [name, 'x']));
      const once = schema.safeParse({ params, query: {}, body: {} });
      if (once.success) expect(schema.parse(once.data)).toEqual(once.data);
    }
  });
}

/** What holds for the OpenAPI document of each table of operations: the specs of it, for a `describe`. */
export function checkOpenApiDocument(table: readonly Operation[], components: readonly string[]): void {
  const document = openApiDocument(table, { serverUrl: 'https://docs.example', version: '1.0.0' });

  it('is valid OpenAPI 3.1', async () => {
    const parsed = await parse(structuredClone(document) as never);
    const report = await validate(parsed);
    expect(report.valid ? [] : report.errors).toEqual([]);
  });

  it('lists every operation, resource and error', () => {
    const ids = Object.values(document['paths'] as Record<string, Record<string, { operationId: string }>>).flatMap(
      (path) => Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.sort()).toEqual(table.map(({ id }) => id).sort());
    const { schemas } = document['components'] as { schemas: object };
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Error', ...components]));
  });
}
