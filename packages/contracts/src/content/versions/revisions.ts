import * as z from 'zod';
import { Id, listOf, paging } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { RichDocument } from '../../kernel/rich-document.js';
import { changesQuery, documentQuery, viewQuery } from '../shapes/content-query.js';
import { contentReads, readsContent } from '../reading/content-reads.js';
import { RevisionSummary } from '../shapes/revision.js';
import { SemanticChanges } from './semantic-changes.js';

const base = { ...readsContent, tag: 'Revisions' } as const;
const params = { spaceId: Id, revisionId: Id };
const path = '/spaces/{spaceId}/revisions/{revisionId}';

export const listRevisions = operation({
  ...base,
  id: 'listRevisions',
  path: '/spaces/{spaceId}/revisions',
  summary: 'List the revisions of the main content of a space, newest first',
  params: z.object({ spaceId: Id }),
  query: z.object(paging),
  response: listOf(RevisionSummary),
});

export const {
  revision: getRevisionById,
  pages: listPagesInRevisionById,
  files: listFilesInRevisionById,
  file: getFileInRevisionById,
  page: getPageInRevisionById,
  pageByPath: getPageInRevisionByPath,
  reusableContent: getReusableContentInRevisionById,
} = contentReads({
  path,
  params,
  name: 'a revision',
  ids: {
    revision: 'getRevisionById',
    pages: 'listPagesInRevisionById',
    files: 'listFilesInRevisionById',
    file: 'getFileInRevisionById',
    page: 'getPageInRevisionById',
    pageByPath: 'getPageInRevisionByPath',
    reusableContent: 'getReusableContentInRevisionById',
  },
});

const { evaluated, dereferenced } = documentQuery;

export const getPageDocumentInRevisionById = operation({
  ...base,
  id: 'getPageDocumentInRevisionById',
  path: `${path}/page/{pageId}/document`,
  summary: 'Get the document of a page of a revision',
  params: z.object({ ...params, pageId: Id }),
  query: z.object({ ...viewQuery, evaluated, dereferenced }),
  response: RichDocument,
});

export const getRevisionSemanticChanges = operation({
  ...base,
  id: 'getRevisionSemanticChanges',
  path: `${path}/changes`,
  summary: 'Get what changed in a revision, compared with its first parent or with another revision',
  params: z.object(params),
  query: z.object({
    ...changesQuery,
    from: Id.optional().meta({ description: 'The revision to compare with; the first parent unless given.' }),
  }),
  response: SemanticChanges,
});

export const rollbackRevision = operation({
  service: 'content',
  tag: 'Revisions',
  id: 'rollbackRevision',
  method: 'POST',
  path: `${path}/rollback`,
  summary: 'Make the main content of a space what it was in a revision, as a new revision',
  access: { scope: 'space:write', resource: 'space', view: ['read'], allow: ['review'] },
  params: z.object(params),
  response: z.object({ revision: Id.meta({ description: 'The new head; the present one if nothing changed.' }) }),
  reasons: ['space_read_only'],
  rate: 'content-write',
});
