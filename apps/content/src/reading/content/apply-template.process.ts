import { AppError, blaming, invalid, type applyTemplateToSpace, type InputOf } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import {
  requireRequestBranch,
  type ContentObjects,
  readTemplate,
  changeContent,
  isUnedited,
  templateChanges,
} from '../../versions/index.js';
import { isLive, requireWritable } from '../../library/index.js';

const changeRequest = 'body.changeRequestId';

/**
 * Adds the content of a template to a change request, or to the main content of a space. In a space that nobody has
 * edited it takes the place of the page that the space began with.
 * @throws AppError `not_found` and `invalid_request` naming the field, `limit_reached`, `change_request_merged`,
 * `space_read_only`
 */
export async function applyTemplate(
  call: Call,
  objects: ContentObjects,
  space: string,
  { changeRequestId, ...use }: InputOf<typeof applyTemplateToSpace>['body'],
): Promise<void> {
  const template = await readTemplate(use, 'body');
  await requireWritable(call, space);
  const branch = changeRequestId === undefined ? space : await branchOf(call, space, changeRequestId);
  const isOpen = branch !== space || (await isLive(call, space));
  await changeContent(
    call,
    objects,
    { space, branch },
    {
      contentRefs: template.contentRefs,
      async changes(draft, { head }) {
        if (branch !== space) return template.changes;
        if (!isOpen && !isUnedited(draft, space, head))
          throw invalid(changeRequest, 'Has to be given for a locked space that was edited');
        return templateChanges(draft, { space, head }, template.changes);
      },
    },
  );
}

async function branchOf(call: Call, space: string, named: string): Promise<string> {
  try {
    return (await requireRequestBranch(call, space, named)).id;
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
    throw blaming('not_found', changeRequest, 'There is no such change request');
  }
}
