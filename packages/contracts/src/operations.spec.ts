import { describe, expect, it } from '@jest/globals';
import { reasonStatus } from './kernel/errors.js';
import { statusOf, type Operation } from './kernel/operation.js';
import { errorPages } from './openapi/error-page.js';
import { openApiDocument } from './openapi/openapi.js';
import { refusalsOf } from './openapi/refusals.js';
import { tagDescriptions } from './openapi/tags.js';
import { operationList, operations, publicStreams } from './services.js';
import { openApiProblems } from './test/openapi-problems.js';
import { resolved } from './test/resolved.js';
import { brokenBy, idsIn, parsedTwice, repeatedIn } from './test/operation-table.js';

const document = openApiDocument(operationList, { serverUrl: 'https://docs.example', version: '1.0.0' });

/** The entry of an operation in the document. */
function entryOf({ path, method }: Operation): {
  responses: Record<string, { description: string } | { $ref: string }>;
} {
  const paths = document['paths'] as Record<string, Record<string, ReturnType<typeof entryOf>>>;
  const found = paths[path === '/' ? '/v1' : `/v1${path}`]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`The document has no ${method} ${path}`);
  return found;
}

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

  it('is small enough to be read at once', () => {
    expect(JSON.stringify(document).length).toBeLessThan(1_000_000);
  });

  it('describes every operation and every tag', () => {
    const paths = document['paths'] as Record<string, Record<string, { description: string; tags: string[] }>>;
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    for (const { description } of described) expect(description).toMatch(/^(For|Needs no) .+\.$/);
    const used = [...new Set(described.flatMap(({ tags }) => tags))].sort();
    expect(Object.keys(tagDescriptions).sort()).toEqual(used);
    expect((document['tags'] as { name: string }[]).map(({ name }) => name).sort()).toEqual(used);
  });

  it('names the status and the reasons of every refusal', () => {
    const refusals = refusalsOf(operationList);
    for (const op of operationList) {
      const { responses } = entryOf(op);
      const told = Object.entries(responses).map(([status, answer]) => {
        const { description } = resolved<{ description: string }>(document, answer);
        return [status, description] as const;
      });
      for (const reason of refusals(op)) {
        const status = statusOf(op, reason);
        const place = told.find(([one]) => one === String(status))?.[1] ?? told.find(([one]) => one === 'default')?.[1];
        expect([op.id, reason, place]).toEqual([op.id, reason, expect.stringMatching(new RegExp(`\\b${reason}\\b`))]);
      }
    }
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
