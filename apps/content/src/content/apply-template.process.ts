import { blaming, invalid, type applyTemplateToSpace, type TextChange, type InputOf } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { Head } from '../branches/index.js';
import { initialPage } from '../changes/index.js';
import type { ContentObjects, Draft } from '../objects/index.js';
import { isLive } from '../spaces/index.js';
import { readTemplate } from '../templates/index.js';
import { changeContent } from './change-content.process.js';

const changeRequest = 'body.changeRequestId';

/**
 * Adds the content of a template to the main content of a space. In a space that nobody has edited it takes the place of the page
 * that the space began with.
 * @throws AppError `not_found` and `invalid_request` naming the field, `limit_reached`
 */
export async function applyTemplate(
  call: Call,
  objects: ContentObjects,
  space: string,
  { changeRequestId, ...use }: InputOf<typeof applyTemplateToSpace>['body'],
): Promise<void> {
  const template = await readTemplate(use, 'body');
  if (changeRequestId !== undefined) throw blaming('not_found', changeRequest, 'There is no such change request');
  const live = await isLive(call, space);
  await changeContent(
    call,
    objects,
    { space, branch: space },
    {
      contentRefs: template.contentRefs,
      async changes(draft, head) {
        const isNew = isUnedited(draft, space, head);
        if (!live && !isNew) throw invalid(changeRequest, 'Has to be given for a locked space that was edited');
        return isNew ? [...(await removal(draft)), ...template.changes] : template.changes;
      },
    },
  );
}

/** Whether the content is what the space began with. A copy of another space was edited there. */
function isUnedited({ pool }: Draft, space: string, head: Head | null): boolean {
  return pool === space && (head?.number ?? 0) <= 1;
}

async function removal(draft: Draft): Promise<TextChange[]> {
  const page = await initialPage(draft);
  return page === undefined ? [] : [{ operation: 'delete_page', page: page.id }];
}
