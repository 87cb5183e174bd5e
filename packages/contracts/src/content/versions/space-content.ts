import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { RichDocument } from '../../kernel/rich-document.js';
import { ContentChanges } from './content-changes.js';
import { viewQuery } from '../shapes/content-query.js';
import { contentReads, readsContent } from '../reading/content-reads.js';
import { changesContent } from './content-writes.js';
import { PageMetaLinks } from '../shapes/page-fields.js';

const params = { spaceId: Id };

export const {
  revision: getCurrentRevision,
  pages: listPages,
  files: listFiles,
  file: getFileById,
  page: getPageById,
  pageByPath: getPageByPath,
  reusableContent: getReusableContentById,
} = contentReads({
  path: '/spaces/{spaceId}/content',
  params,
  name: 'the main content of a space',
  // The main content is the branch that has the id of its space.
  history: { entity: 'branch', id: 'spaceId' },
  ids: {
    revision: 'getCurrentRevision',
    pages: 'listPages',
    files: 'listFiles',
    file: 'getFileById',
    page: 'getPageById',
    pageByPath: 'getPageByPath',
    reusableContent: 'getReusableContentById',
  },
});

export const getSpacePageMetaLinks = operation({
  ...readsContent,
  id: 'getSpacePageMetaLinks',
  path: '/spaces/{spaceId}/content/page/{pageId}/meta-links',
  summary: 'Get the meta links of a page: the page that it repeats, and where else it is',
  params: z.object({ ...params, pageId: Id }),
  query: z.object(viewQuery),
  response: PageMetaLinks,
});

export const getDocumentById = operation({
  ...readsContent,
  id: 'getDocumentById',
  path: '/spaces/{spaceId}/documents/{documentId}',
  summary: 'Get a document of a space as it is stored; documents do not change',
  params: z.object({ ...params, documentId: Id }),
  response: RichDocument,
});

export const changeSpaceContent = operation({
  ...changesContent,
  id: 'changeSpaceContent',
  path: '/spaces/{spaceId}/content',
  summary: 'Change the main content of a space that is not locked: pages, files, reusable contents, variables',
  params: z.object(params),
  body: ContentChanges,
  reasons: [...changesContent.reasons, 'space_locked'],
});
