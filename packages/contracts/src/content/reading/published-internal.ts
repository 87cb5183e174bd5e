import * as z from 'zod';
import { requestBounds } from '../../kernel/limits.js';
import { Id } from '../../kernel/common.js';
import { internalOperation } from '../../kernel/operation.js';
import { Visitor } from '../../kernel/visitor.js';
import { FoundSpace } from './search.js';

/**
 * What a path of a published address leads to in a space, as this visitor sees it: in the main content, or in a change
 * request (its id or number) or revision. `path`: of the page now, if it was moved since; absent for a page that is not
 * there. `madeFrom`: the revision of the main content from which alone the answer follows, for these claims; absent
 * when it depends on something else, too. Refusals: `not_found` for a change request or revision that is not there.
 */
export const locatePublishedPath = internalOperation({
  id: 'locatePublishedPath',
  service: 'content',
  input: z.object({
    organization: Id,
    space: Id,
    path: z.string().max(4096),
    changeRequest: Id.optional(),
    revision: Id.optional(),
    reader: Visitor.pick({ type: true, claims: true, spaces: true }),
  }),
  response: z.object({
    changeRequest: Id.optional(),
    revision: Id.optional(),
    path: z.string().optional(),
    madeFrom: Id.optional(),
  }),
});

/** Spaces and pages of one question. */
const mostPlaces = 2_000;

/**
 * The paths of pages in their spaces, as this visitor sees them, in the order of `places`; `null` for a page that they
 * are not shown. `untilFound`: what follows the first one that they are shown is left out. Without `reader` all pages
 * are found, for members.
 */
export const locatePublishedPages = internalOperation({
  id: 'locatePublishedPages',
  service: 'content',
  input: z.object({
    organization: Id,
    places: z.array(z.object({ space: Id, page: Id })).max(mostPlaces),
    untilFound: z.boolean().default(false),
    changeRequest: Id.optional(),
    revision: Id.optional(),
    reader: Visitor.pick({ type: true, claims: true, spaces: true }).optional(),
  }),
  response: z.object({ paths: z.array(z.string().nullable()) }),
});

/** Expressions of one answer. */
const mostExpressions = 1_000;

/**
 * The conditions and expressions in the main content of a space, each once: what it shows depends on no other claims
 * than those that they use. `null` when there are too many to be listed. `madeFrom`: the revision from which alone they
 * follow; absent when they depend on something else, too.
 */
export const listUsedExpressions = internalOperation({
  id: 'listUsedExpressions',
  service: 'content',
  deadlineMs: 2_000,
  input: z.object({ organization: Id, space: Id }),
  response: z.object({ madeFrom: Id.optional(), expressions: z.array(z.string()).max(mostExpressions).nullable() }),
});

/** Pages of these spaces that the caller finds, space by space, the best first; behind `after` if it is given. */
export const searchSpaces = internalOperation({
  id: 'searchSpaces',
  service: 'content',
  deadlineMs: 9_000,
  input: z.object({
    organization: Id,
    spaces: z.array(Id).max(1_000),
    query: z.string().max(512),
    limit: z.int().min(0).max(requestBounds.pageSize),
    after: z.object({ score: z.number(), id: z.string() }).optional(),
  }),
  response: z.object({
    count: z.int(),
    items: z.array(z.object({ score: z.number(), found: FoundSpace })),
  }),
});

/**
 * The pages of these spaces that are in the navigation, in its order, as the caller sees them. Spaces that the caller
 * may not view are left out.
 */
export const listPublishedPages = internalOperation({
  id: 'listPublishedPages',
  service: 'content',
  deadlineMs: 9_000,
  input: z.object({ organization: Id, spaces: z.array(Id).max(1_000) }),
  response: z.object({
    items: z.array(
      z.object({
        space: Id,
        language: z.string().optional(),
        pages: z.array(
          z.object({
            /** Absent in answers of older processes. */
            id: Id.optional(),
            title: z.string(),
            path: z.string(),
            description: z.string().optional(),
            updatedAt: z.string(),
            /** Excluded from search. */
            noIndex: z.boolean(),
            /** Search engines are told not to list it. */
            noRobotsIndex: z.boolean(),
          }),
        ),
      }),
    ),
  }),
});
