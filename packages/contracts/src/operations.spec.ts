import { describe, expect, it } from '@jest/globals';
import { reasonStatus } from './errors.js';
import { errorPages } from './error-page.js';
import { operationList, operations, publicStreams } from './services.js';
import { checkOpenApiDocument, checkOperationTable } from './test/operation-table.js';

describe('the operation table', () => {
  it('has each operation under its id', () => {
    expect(Object.entries(operations).every(([id, op]) => op.id === id)).toBe(true);
  });

  checkOperationTable(operationList);
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
  checkOpenApiDocument(operationList, ['Member', 'Organization', 'Team', 'User', 'UserToken']);
});
