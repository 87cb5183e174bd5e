import * as z from 'zod';
import { ChangeRequest } from '../../change-requests/change-request.js';
import { Id } from '../../kernel/common.js';
import { embed } from '../../kernel/embed.js';
import { operation } from '../../kernel/operation.js';
import { ChangeRequestContentChanges } from './content-changes.js';
import { ContentChangesResult } from './content-changes-result.js';
import { changesQuery } from '../shapes/content-query.js';
import { contentReads, readsContent } from '../reading/content-reads.js';
import { changesContent } from './content-writes.js';
import { SemanticChanges } from './semantic-changes.js';

const params = {
  spaceId: Id,
  changeRequestId: Id.meta({ description: 'Id of the change request, or its number in the space.' }),
};
const path = '/spaces/{spaceId}/change-requests/{changeRequestId}';

export const {
  revision: getRevisionOfChangeRequestById,
  pages: listPagesInChangeRequest,
  files: listFilesInChangeRequestById,
  file: getFileInChangeRequestById,
  page: getPageInChangeRequestById,
  pageByPath: getPageInChangeRequestByPath,
  reusableContent: getReusableContentInChangeRequestById,
} = contentReads({
  path: `${path}/content`,
  params,
  name: 'the content of a change request',
  ids: {
    revision: 'getRevisionOfChangeRequestById',
    pages: 'listPagesInChangeRequest',
    files: 'listFilesInChangeRequestById',
    file: 'getFileInChangeRequestById',
    page: 'getPageInChangeRequestById',
    pageByPath: 'getPageInChangeRequestByPath',
    reusableContent: 'getReusableContentInChangeRequestById',
  },
});

export const getChangeRequestSemanticChanges = operation({
  ...readsContent,
  id: 'getChangeRequestSemanticChanges',
  path: `${path}/changes`,
  summary: 'Get what a change request changes, compared with the revision of the space that it goes back to',
  params: z.object(params),
  query: z.object(changesQuery),
  response: SemanticChanges,
});

export const changeContentInChangeRequest = operation({
  ...changesContent,
  id: 'changeContentInChangeRequest',
  path: `${path}/content`,
  summary: 'Change the content of a change request, or resolve its conflicts',
  params: z.object(params),
  body: ChangeRequestContentChanges,
  response: ContentChangesResult.extend({ changeRequest: embed('change-request', ChangeRequest) }).meta({
    id: 'ChangeRequestContentChangesResult',
  }),
  reasons: [...changesContent.reasons, 'change_request_merged'],
});
