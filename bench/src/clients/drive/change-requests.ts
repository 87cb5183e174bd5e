import { idOf } from '../official.js';
import type { World } from '../world.js';
import type { Written } from './content.js';
import { paragraph } from './organizations.js';

/** Change requests, their content, reviews and comments, and comments of a space. */
export async function driveChangeRequests(world: World, written: Written): Promise<void> {
  const { call, organization, people } = world;
  const { space, page } = written;
  await call('inviteToSpace', space, { users: [people.editor.id, people.reader.id], role: 'review' });
  const change = idOf(await call('createChangeRequest', space, { subject: 'Say more' }));
  await call('createChangeRequest', space, {});
  await call('updateChangeRequestContent', space, change, {
    changes: [
      { operation: 'update_page', page, document: { markdown: '# Use it\n\nAll of it.\n' } },
      { operation: 'insert_page', ref: 'new', title: 'New', document: { markdown: 'New text' } },
    ],
  });
  await call('updateChangeRequestById', space, change, {
    subject: 'Say much more',
    description: paragraph('Since people asked.'),
    status: 'open',
  });
  await call('getChangeRequestById', space, change);
  await call('listChangeRequestsForSpace', space, { status: 'open', limit: 1 });
  await call('listChangeRequestsForOrganization', organization, { creator: people.admin.id });
  await contentOf(world, written, change);
  await reviews(world, space, change);
  await comments(world, 'ChangeRequest', [space, change], page);
  await comments(world, 'Space', [space], page);
  await call('listCommentersInSpace', space, {});
  await call('listCommentersInChangeRequest', space, change, {});
  await call('getContributorsByChangeRequestId', space, change);
  await call('updateChangeRequest', space, change);
  await call('mergeChangeRequest', space, change);
  await call('getChangeRequestById', space, change);
  await call('getCurrentRevision', space);
}

async function contentOf({ call }: World, written: Written, change: string): Promise<void> {
  const { space, page, path, file, reusable } = written;
  await call('getRevisionOfChangeRequestById', space, change);
  await call('listPagesInChangeRequest', space, change);
  await call('listFilesInChangeRequestById', space, change, { limit: 10 });
  await call('getFileInChangeRequestById', space, change, file);
  await call('listChangeRequestFileBacklinks', space, change, file, {});
  await call('getPageInChangeRequestById', space, change, page);
  await call('getChangeRequestPDF', space, change, {});
  await call('getSpacePDF', space, {});
  await call('listPageLinksInChangeRequest', space, change, page, {});
  await call('listChangeRequestPageBacklinks', space, change, page, {});
  await call('getPageInChangeRequestByPath', space, change, encodeURIComponent(path));
  await call('getReusableContentInChangeRequestById', space, change, reusable);
  await call('getChangeRequestChanges', space, change, { limit: 10 });
  await call('listChangeRequestLinks', space, change, { limit: 10 });
}

async function reviews({ call, people }: World, space: string, change: string): Promise<void> {
  const { editor, reader } = people;
  await call('requestReviewersForChangeRequest', space, change, { users: [editor.id, reader.id] });
  await call('getRequestedReviewersByChangeRequestId', space, change, {});
  await call('removeRequestedReviewerFromChangeRequest', space, change, reader.id);
  await call('removeRequestedReviewerFromChangeRequest', space, change, reader.id);
  const review = await editor.call('submitChangeRequestReview', space, change, {
    status: 'approved',
    comment: { markdown: 'Well said' },
  });
  await call('getReviewsByChangeRequestId', space, change, {});
  await call('getChangeRequestReviewById', space, change, idOf(review));
  await call('getChangeRequestReviewById', space, change, idOf(review), { format: 'document' });
}

async function comments(
  { call, people }: World,
  kind: 'Space' | 'ChangeRequest',
  at: readonly string[],
  page: string,
): Promise<void> {
  const body = { markdown: 'Is this **so**?' };
  const comment = idOf(await call(`postCommentIn${kind}`, ...at, { body, page }));
  await call(`listCommentsIn${kind}`, ...at, { limit: 5, targetPage: page });
  await call(`getCommentIn${kind}`, ...at, comment, {});
  await call(`getCommentIn${kind}`, ...at, comment, { format: 'document' });
  await call(`updateCommentIn${kind}`, ...at, comment, { addedReactions: ['1f44d'] });
  const reply = await people.editor.call(`postCommentReplyIn${kind}`, ...at, comment, { body: { markdown: 'It is.' } });
  await call(`listCommentRepliesIn${kind}`, ...at, comment, { limit: 5 });
  await call(`getCommentReplyIn${kind}`, ...at, comment, idOf(reply), {});
  await people.editor.call(`updateCommentReplyIn${kind}`, ...at, comment, idOf(reply), { body: { markdown: 'Yes.' } });
  await call(`getCommentIn${kind}`, ...at, comment, {});
  await people.editor.call(`deleteCommentReplyIn${kind}`, ...at, comment, idOf(reply));
  await people.editor.call(`deleteCommentReplyIn${kind}`, ...at, comment, idOf(reply));
  await call(`updateCommentIn${kind}`, ...at, comment, { resolved: true });
  await call(`listCommentsIn${kind}`, ...at, { status: 'resolved' });
  const second = idOf(await call(`postCommentIn${kind}`, ...at, { body: { markdown: 'Two' } }));
  await call(`deleteCommentIn${kind}`, ...at, second);
  await call(`deleteCommentIn${kind}`, ...at, second);
}
