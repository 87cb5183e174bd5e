import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../openapi/openapi.js';
import { statusOf, pickOperations, type Operation } from '../kernel/operation.js';
import { refusalsOf } from '../openapi/refusals.js';
import { defineServiceContract } from '../kernel/service-contract.js';
import { operationList } from '../services.js';
import { openApiProblems } from '../test/openapi-problems.js';
import { brokenBy, idsIn, parsedTwice, repeatedIn } from '../test/operation-table.js';
import * as branches from './versions/branches-internal.js';
import * as changeRequestContent from './versions/change-request-content.js';
import * as duplicates from './library/duplicates.js';
import { contentLimits } from './limits.js';
import * as revisions from './versions/revisions.js';
import { contentContract } from './service.js';
import * as spaceContent from './versions/space-content.js';
import * as storage from './moving/storage.js';
import * as templates from './moving/templates.js';

/** The service as it will be with these operations. */
const contract = defineServiceContract({
  name: 'content',
  operations: pickOperations({
    ...spaceContent,
    ...revisions,
    ...changeRequestContent,
    ...templates,
    ...storage,
    ...duplicates,
  }),
  internal: { ...branches },
  streams: [],
  limits: contentLimits,
  embeds: {},
  resourceKinds: contentContract.resourceKinds,
});
const added = Object.values<Operation>(contract.operations);
const served = new Set(operationList.map(({ id }) => id));
const table = [...operationList, ...added.filter(({ id }) => !served.has(id))];
const named = (id: string): Operation => {
  const found = added.find((op) => op.id === id);
  if (found === undefined) throw new Error(`There is no ${id}`);
  return found;
};

describe('the operation table with the operations on content', () => {
  it('names each operation and each route once', () => {
    expect(Object.entries(contract.operations).every(([id, op]) => op.id === id)).toBe(true);
    expect(repeatedIn(table)).toEqual([]);
  });

  it.each(added.map((op) => [op.id, op] as const))('declares %s consistently', (_id, op) => {
    expect(brokenBy(op, table)).toEqual([]);
  });

  it('has schemas that a service can apply to the output of the gateway', () => {
    const parsed = added.flatMap((op) => parsedTwice(op) ?? []);
    expect(parsed.length).toBeGreaterThan(25);
    for (const { once, twice } of parsed) expect(twice).toEqual(once);
  });

  it('has the reads of content three times: of a space, of a change request, of a revision', () => {
    const below = (prefix: string) =>
      added
        .filter(({ method, path }) => method === 'GET' && path.startsWith(prefix))
        .map(({ path }) => path.slice(prefix.length))
        .sort();
    const reads = [
      '',
      '/files',
      '/files/{fileId}',
      '/page/{pageId}',
      '/pages',
      '/path/{pagePath}',
      '/reusable-contents/{reusableContentId}',
    ];
    expect(below('/spaces/{spaceId}/content')).toEqual([...reads, '/page/{pageId}/meta-links'].sort());
    expect(below('/spaces/{spaceId}/change-requests/{changeRequestId}/content')).toEqual(reads);
    expect(below('/spaces/{spaceId}/revisions/{revisionId}')).toEqual(
      [...reads, '/changes', '/page/{pageId}/document'].sort(),
    );
  });

  it('can show the main content as it was, and not what never changes', () => {
    const shown = added.filter(({ history }) => history !== undefined).map(({ id }) => id);
    expect(shown.sort()).toEqual(
      ['getCurrentRevision', 'getFileById', 'getPageById', 'getPageByPath', 'getReusableContentById'].concat([
        'listFiles',
        'listPages',
      ]),
    );
  });

  it('asks for the level that each write needs', () => {
    const writes = added.filter(({ kind }) => kind === 'write').map(({ id, access }) => [id, access.allow.join()]);
    expect(Object.fromEntries(writes)).toEqual({
      changeSpaceContent: 'edit,installation',
      changeContentInChangeRequest: 'edit,installation',
      applyTemplateToSpace: 'edit,installation',
      rollbackRevision: 'review',
      duplicateSpace: 'create',
      uploadStorage: 'guest',
    });
  });

  it.each([
    ['changeSpaceContent', { space_locked: 403, content_change_invalid: 422, limit_reached: 409 }],
    ['changeSpaceContent', { precondition_failed: 412, too_large: 413, space_read_only: 403, not_found: 404 }],
    ['changeContentInChangeRequest', { change_request_merged: 409, precondition_failed: 412, too_large: 413 }],
    ['applyTemplateToSpace', { invalid_request: 400, not_found: 404, change_request_merged: 409 }],
    ['rollbackRevision', { not_found: 404, space_read_only: 403, conflict: 409 }],
    ['duplicateSpace', { limit_reached: 409, forbidden: 403 }],
    ['uploadStorage', { too_large: 413, limit_reached: 409 }],
    ['getPageByPath', { not_found: 404, history_too_long: 422 }],
  ])('names the refusals of %s: %j', (id, refusals) => {
    const op = named(id);
    const found = refusalsOf(table)(op).map((reason) => [reason, statusOf(op, reason)]);
    expect(Object.fromEntries(found)).toMatchObject(refusals);
  });

  it('never says that the content of a change request is locked', () => {
    expect(refusalsOf(table)(named('changeContentInChangeRequest'))).not.toContain('space_locked');
  });
});

describe('the OpenAPI document of the operations on content', () => {
  const document = openApiDocument(added, { serverUrl: 'https://docs.example', version: '1.0.0' });

  it('is valid OpenAPI 3.1', async () => {
    expect(await openApiProblems(document)).toEqual([]);
  });

  it('lists every operation', () => {
    expect(idsIn(document).sort()).toEqual(added.map(({ id }) => id).sort());
  });

  it.each([
    ...['Page', 'DocumentPage', 'GroupPage', 'LinkPage', 'ComputedPage', 'Revision', 'RevisionSummary'],
    ...['ContentFile', 'ReusableContent', 'ReusableContentWithDocument', 'ContentReference', 'ComputedSource'],
    ...['ContentChange', 'ContentChangesResult', 'SemanticChanges', 'Template', 'StorageSignedUrl'],
  ])('has the component %s', (name) => {
    const { schemas } = document['components'] as { schemas: Record<string, object> };
    expect(Object.keys(schemas)).toContain(name);
    // A reference to the root would be one to the whole document.
    expect(JSON.stringify(schemas[name])).not.toContain('"$ref":"#"');
  });
});

describe('the internal operations on branches', () => {
  it('are known by their own ids', () => {
    expect(Object.entries(contract.internal).map(([name, { id }]) => name === id)).toEqual(Array(6).fill(true));
  });

  it('have time to merge', () => {
    const { openBranch, mergeBranch, updateBranch } = branches;
    expect([mergeBranch.deadlineMs, updateBranch.deadlineMs]).toEqual([60_000, 60_000]);
    expect(openBranch.deadlineMs).toBe(5_000);
  });

  it('take the changes that the public operation takes', () => {
    const { input } = branches.writeBranch;
    const refused = input.safeParse({ space: 's', branch: 'b', write: {} });
    expect(refused.error?.issues.map(({ path }) => path.join('.'))).toEqual(['write.changes']);
    expect(input.safeParse({ space: 's', branch: 'b', write: { resolve: ['c'] } }).success).toBe(true);
  });
});
