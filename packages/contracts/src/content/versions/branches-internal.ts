import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { internalOperation } from '../../kernel/operation.js';
import { ContentConflict } from './conflicts.js';
import { ContentChangesResult } from './content-changes-result.js';
import { ChangeRequestContentChanges } from './content-changes.js';
import { TemplateUse } from '../shapes/template-use.js';

/*
 * What collaboration asks of content for its change requests. A change request has a branch, whose id is that of the
 * change request. Content knows the branch; collaboration knows the status, the rules and the people.
 */

/** A branch and the space whose main content it goes back to. */
const branch = { space: Id, branch: Id };
const conflicts = z.array(ContentConflict);
/** Merges are tried again on a moved head, so they may take this long. */
const mergeDeadlineMs = 60_000;

/** The content of a change request as it is now. */
const BranchState = z.object({
  head: Id.meta({ description: 'The newest revision of the branch.' }),
  initial: Id.meta({ description: 'The revision of the space that it began with.' }),
  ancestor: Id.meta({ description: 'The newest revision of the space that it has taken over.' }),
  main: Id.meta({ description: 'The newest revision of the space.' }),
  outdated: z
    .boolean()
    .meta({ description: 'Whether the space has revisions after `ancestor`; never once it is merged.' }),
  merged: Id.optional().meta({ description: 'The revision of the space that it was merged into.' }),
  conflicts: conflicts.meta({ description: 'Those that are not resolved.' }),
});

/**
 * Opens the branch of a new change request at the head of the space, with the content of a template if one is named. A
 * repetition changes nothing. Refusals: `not_found` (space, template), `invalid_request` (references of the template),
 * `limit_reached`, `space_read_only`.
 */
export const openBranch = internalOperation({
  id: 'openBranch',
  service: 'content',
  input: z.object({ ...branch, template: TemplateUse.optional() }),
  response: BranchState,
});

/**
 * Changes the content of a branch, as the public operation does. Refusals: `not_found`, `content_change_invalid`,
 * `limit_reached`, `precondition_failed` (`base` is not the head), `change_request_merged`, `space_read_only`.
 */
export const writeBranch = internalOperation({
  id: 'writeBranch',
  service: 'content',
  input: z.object({ ...branch, write: ChangeRequestContentChanges }),
  response: ContentChangesResult,
  deadlineMs: mergeDeadlineMs,
});

/**
 * Takes over into a branch what is new in the space. With conflicts too, the branch gets a revision, in which both
 * versions stand where they can. Refusals: `not_found`, `change_request_merged`, `limit_reached`, `conflict` (the
 * deadline passed).
 */
export const updateBranch = internalOperation({
  id: 'updateBranch',
  service: 'content',
  input: z.object(branch),
  response: z.object({
    result: z.enum(['update', 'conflicts']),
    revision: Id.meta({ description: 'The head of the branch.' }),
    ancestor: Id,
    conflicts,
  }),
  deadlineMs: mergeDeadlineMs,
});

/**
 * Merges a branch into its space and seals it. `attempt` names the attempt, so that a repetition of it answers the
 * same. `expected`: the head that may be merged. With conflicts nothing changes. Refusals: `not_found`,
 * `limit_reached`, `precondition_failed` (the branch has another head, and nothing of this attempt is in the space),
 * `conflict` (the deadline passed).
 */
export const mergeBranch = internalOperation({
  id: 'mergeBranch',
  service: 'content',
  input: z.object({ ...branch, attempt: Id, expected: Id.optional() }),
  response: z.discriminatedUnion('result', [
    z.object({ result: z.literal('merge'), revision: Id.meta({ description: 'The new head of the space.' }) }),
    z.object({
      result: z.literal('conflicts'),
      revision: Id.meta({ description: 'The head of the branch.' }),
      conflicts,
    }),
  ]),
  deadlineMs: mergeDeadlineMs,
});

/** The state of a branch. Refusals: `not_found`. */
export const readBranch = internalOperation({
  id: 'readBranch',
  service: 'content',
  input: z.object(branch),
  response: BranchState,
});

/**
 * Lets a merged branch take content again. It goes on from the revision that it was merged into, so that a later merge
 * brings new edits alone. A branch that is not merged stays as it is. Refusals: `not_found`.
 */
export const reopenBranch = internalOperation({
  id: 'reopenBranch',
  service: 'content',
  input: z.object(branch),
  response: BranchState,
});
