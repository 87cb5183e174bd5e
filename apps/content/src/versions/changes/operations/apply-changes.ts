import { AppError, type ContentChange, type ContentChangeResult } from '@scriptorium/contracts';
import { impossible, type At, type ChangeContext } from '../context.js';
import { deleteFile, insertFiles, updateFile } from './file-changes.js';
import { deleteGroup, insertComputed, insertGroup, insertLink, updateGroup, updateLink } from './navigation-changes.js';
import { deleteReusableContent, insertReusableContent, setVariables, updateReusableContent } from './other-changes.js';
import { deletePage, insertPage, updatePage } from './page-changes.js';
import { revertPage } from './revert-page.js';

/**
 * Applies the changes of a request in their order. @throws AppError `content_change_invalid` naming the change,
 * `limit_reached`
 */
export async function applyChanges(
  context: ChangeContext,
  changes: readonly ContentChange[],
): Promise<ContentChangeResult[]> {
  const results: ContentChangeResult[] = [];
  for (const [index, change] of changes.entries()) {
    const at = { path: `body.changes[${index}]` };
    try {
      results.push(await apply(context, at, change));
    } catch (error) {
      throw placed(error, at);
    }
  }
  return results;
}

/** A document that cannot be read names its change as well. */
function placed(error: unknown, at: At): unknown {
  if (!(error instanceof AppError) || error.reason !== 'content_change_invalid') return error;
  const { path = 'document', message = error.message } = error.details[0] ?? {};
  return path.startsWith(at.path) ? error : impossible(at, path, message);
}

type PageOperation = `${string}_${'page' | 'group' | 'link' | 'computed'}`;

function apply(context: ChangeContext, at: At, change: ContentChange): Promise<ContentChangeResult> {
  switch (change.operation) {
    case 'insert_page':
      return insertPage(context, at, change);
    case 'update_page':
      return updatePage(context, at, change);
    case 'delete_page':
      return deletePage(context, at, change);
    case 'revert_page':
      return revertPage(context, at, change);
    case 'insert_group':
      return insertGroup(context, at, change);
    case 'update_group':
      return updateGroup(context, at, change);
    case 'delete_group':
      return deleteGroup(context, at, change);
    case 'insert_link':
      return insertLink(context, at, change);
    case 'update_link':
      return updateLink(context, at, change);
    case 'insert_computed':
      return insertComputed(context, at, change);
    default:
      return applyOther(context, at, change);
  }
}

/** Changes of what stands beside the pages. */
function applyOther(
  context: ChangeContext,
  at: At,
  change: Exclude<ContentChange, { operation: PageOperation }>,
): Promise<ContentChangeResult> {
  switch (change.operation) {
    case 'insert_reusable_content':
      return insertReusableContent(context, at, change);
    case 'update_reusable_content':
      return updateReusableContent(context, at, change);
    case 'delete_reusable_content':
      return deleteReusableContent(context, at, change);
    case 'insert_files':
      return insertFiles(context, at, change);
    case 'update_file':
      return updateFile(context, at, change);
    case 'delete_file':
      return deleteFile(context, at, change);
    case 'set_variables':
      return setVariables(context, at, change);
  }
}
