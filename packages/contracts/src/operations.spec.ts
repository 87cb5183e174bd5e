import { describe, expect, it } from '@jest/globals';
import { parse, validate } from '@readme/openapi-parser';
import { reasonStatus } from './errors.js';
import { errorPages } from './error-page.js';
import { openApiDocument } from './openapi.js';
import { refusalsOf } from './refusals.js';
import { inputSchema, type Operation } from './operation.js';
import { operationList, operations, publicStreams } from './services.js';

const document = openApiDocument(operationList, { serverUrl: 'https://docs.example', version: '1.0.0' });

describe('the operation table', () => {
  it('names each operation and each route once', () => {
    expect(Object.entries(operations).every(([id, op]) => op.id === id)).toBe(true);
    const routes = operationList.flatMap(({ method, path, aliases }) =>
      [path, ...aliases].map((one) => `${method} ${one.replace(/\{\w+\}/g, '{}')}`),
    );
    expect(new Set(routes).size).toBe(routes.length);
  });

  it.each(operationList.map((op) => [op.id, op] as const))('declares %s consistently', (_id, op: Operation) => {
    const inPath = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(op.params.shape).sort()).toEqual(inPath.sort());
    expect(op.access.allow.length).toBeGreaterThan(0);
    expect(op.method === 'DELETE' ? op.status : 205).toBe(205);
    expect(op.method === 'GET' ? op.body : undefined).toBeUndefined();
    expect([201, 200].includes(op.status)).toBe(op.response !== undefined);
    if (op.status === 302) expect(op.browser).toBe(true);
    for (const reason of refusalsOf(operationList)(op)) expect(reasonStatus[reason]).toBeGreaterThanOrEqual(400);
  });

  it('has schemas that a service can apply to the output of the gateway', () => {
    for (const op of operationList) {
      const schema = inputSchema(op);
      const once = schema.safeParse({
        params: { organizationId: 'o', teamId: 't', userId: 'u', tokenId: 'k' },
        query: {},
        body: {},
      });
      if (once.success) expect(schema.parse(once.data)).toEqual(once.data);
    }
  });
});

describe('the public streams', () => {
  it('have each event type once in the whole product', () => {
    const types = publicStreams.flatMap(({ schemas }) => Object.keys(schemas));
    expect(new Set(types).size).toBe(types.length);
  });
});

describe('the pages of reasons', () => {
  const pages = errorPages(operationList);
  const page = (reason: string) => pages.find((one) => one.reason === reason);

  it('exist for each reason and are not empty', () => {
    expect(pages.map(({ reason }) => reason).sort()).toEqual(Object.keys(reasonStatus).sort());
    for (const { meaning, when, next } of pages)
      for (const text of [meaning, when, next]) expect(text).toMatch(/^[`A-Z].{10,}\.$/);
  });

  it('name the operations that can be refused with the reason', () => {
    expect([page('misdirected')?.operations, page('method_not_allowed')?.operations]).toEqual(['every', []]);
    const ids = (reason: string) => (page(reason)?.operations as readonly { id: string }[]).map(({ id }) => id);
    expect(ids('last_admin')).toContain('removeMemberFromOrganizationById');
    expect(ids('precondition_failed')).not.toContain('getApiInformation');
  });
});

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const parsed = await parse(structuredClone(document) as never);
    const report = await validate(parsed);
    expect(report.valid ? [] : report.errors).toEqual([]);
  });

  it('lists every operation, resource and error', () => {
    const ids = Object.values(document['paths'] as Record<string, Record<string, { operationId: string }>>).flatMap(
      (path) => Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.sort()).toEqual(operationList.map(({ id }) => id).sort());
    const { schemas } = document['components'] as { schemas: object };
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Error', 'Member', 'Organization', 'Team', 'User', 'UserToken']),
    );
  });
});
