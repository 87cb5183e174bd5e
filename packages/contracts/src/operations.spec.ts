import { describe, expect, it } from '@jest/globals';
import { reasonStatus } from './kernel/errors.js';
import { errorPages } from './openapi/error-page.js';
import { openApiDocument } from './openapi/openapi.js';
import { operationList, operations, publicStreams } from './services.js';
import { openApiProblems } from './test/openapi-problems.js';
import { brokenBy, idsIn, parsedTwice, repeatedIn } from './test/operation-table.js';

const document = openApiDocument(operationList, { serverUrl: 'https://docs.example', version: '1.0.0' });

describe('the operation table', () => {
  it('names each operation and each route once', () => {
    expect(Object.entries(operations).every(([id, op]) => op.id === id)).toBe(true);
    expect(repeatedIn(operationList)).toEqual([]);
  });

  it.each(operationList.map((op) => [op.id, op] as const))('declares %s consistently', (_id, op) => {
    expect(brokenBy(op, operationList)).toEqual([]);
  });

  it('has schemas that a service can apply to the output of the gateway', () => {
    const parsed = operationList.flatMap((op) => parsedTwice(op) ?? []);
    expect(parsed.length).toBeGreaterThan(50);
    for (const { once, twice } of parsed) expect(twice).toEqual(once);
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
    expect(await openApiProblems(document)).toEqual([]);
  });

  it('lists every operation, resource and error', () => {
    const ids = operationList.flatMap(({ id, aliases }) => [id, ...aliases.map((_, at) => `${id}Alias${at + 1}`)]);
    expect(idsIn(document).sort()).toEqual(ids.sort());
    const { schemas } = document['components'] as { schemas: object };
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Error', 'Member', 'Organization', 'Team', 'User', 'UserToken']),
    );
  });
});
