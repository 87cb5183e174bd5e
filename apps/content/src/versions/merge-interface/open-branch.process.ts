import type { Written } from '@scriptorium/event-sourcing';
import { AppError, type TemplateUse } from '@scriptorium/contracts';
import type * as z from 'zod';
import { branch, openRequest, refuseTooMuch, type Head, type NewRevision, countContent } from '../branches/index.js';
import { makeChanges, makingOf, templateChanges, type ChangeCall } from '../changes/index.js';
import { createDraft, type ContentObjects } from '../object-store/index.js';
import { readTemplate } from '../templates/index.js';
import type { BranchOfSpace } from './branch-state.queries.js';

const look = { wait: false, isLook: true };

/** What a change request begins with. */
interface Opening extends BranchOfSpace {
  template?: z.output<typeof TemplateUse> | undefined;
}

/**
 * Opens the branch of a change request at the head of the main content, with the content of a template if one is named.
 * Nothing when it is open.
 * @throws AppError `not_found`, `invalid_request` naming the reference of the template, `limit_reached`
 */
export async function openBranch(
  call: ChangeCall,
  objects: ContentObjects,
  { space, branch: id, template }: Opening,
): Promise<void> {
  const written = await call.store.handle(branch, space, () => [], look);
  const { state: main } = written;
  if (main.status === 'absent' || main.head === null || main.request !== null) throw new AppError('not_found');
  const { pool, head } = main;
  const { state: present } = await call.store.handle(branch, id, () => [], look);
  const isNew = present.status === 'absent';
  const first =
    isNew && template !== undefined
      ? await firstRevision(call, objects, { space, id, pool, head, written }, template)
      : undefined;
  const from = { revision: head.revision, tree: head.tree };
  await call.store
    .within({ space, changeRequest: id })
    .handle(branch, id, (state) => openRequest(state, { space, pool, from, first }));
}

/** The content of a template on top of the main content. */
async function firstRevision(
  call: ChangeCall,
  objects: ContentObjects,
  { space, id, pool, head, written }: { space: string; id: string; pool: string; head: Head; written: Written },
  use: z.output<typeof TemplateUse>,
): Promise<NewRevision> {
  const { contentRefs, changes } = await readTemplate(use, 'body.template');
  const draft = createDraft(objects, pool, head.tree);
  const { events } = await makeChanges(draft, {
    ...makingOf(call),
    space,
    branch: id,
    changes: await templateChanges(draft, { space, head }, changes),
    contentRefs,
    revision: () => Promise.resolve(undefined),
  });
  const { root: tree, texts } = await draft.written();
  const counts = await countContent(draft);
  await refuseTooMuch(call, { head, written }, counts);
  if (!call.store.dry) await objects.store(pool, texts);
  return { revision: call.idFor('revision'), tree, type: 'edits', mergedFrom: null, counts, changes: events };
}
