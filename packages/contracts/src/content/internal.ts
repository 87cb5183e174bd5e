import * as z from 'zod';
import { Id, text } from '../kernel/common.js';
import { embedBatch } from '../kernel/embed.js';
import { internalOperation } from '../kernel/operation.js';
import { contentBounds } from './bounds.js';
import { Space } from './library/space.js';

/** Spaces by id for responses of other services. Those that the caller may not view, and deleted ones, are left out. */
export const lookupSpaces = internalOperation({
  id: 'lookupSpaces',
  service: 'content',
  input: z.object({ ids: z.array(Id).max(embedBatch) }),
  response: z.object({ items: z.array(Space) }),
});

/**
 * Makes a copy of a space and its content beside it, as `duplicateSpace` does, for a user who may create there.
 * Refusals: `not_found`, `forbidden`, `limit_reached`.
 */
export const copySpace = internalOperation({
  id: 'copySpace',
  service: 'content',
  deadlineMs: 8_000,
  input: z.object({ space: Id }),
  response: z.object({ id: Id, title: z.string() }),
});

const part = text(1, 128);

/**
 * Whether places exist in the content of a branch: pages, nodes of their documents and cells of the tables in these.
 * `revision`: in this one; otherwise in the newest. Refusals: `not_found` (branch, revision).
 */
export const locateInContent = internalOperation({
  id: 'locateInContent',
  service: 'content',
  input: z.object({
    space: Id,
    branch: Id,
    revision: Id.optional(),
    places: z
      .array(
        z.object({
          page: Id,
          node: part.optional(),
          tableCell: z.object({ record: part, definition: part }).optional(),
        }),
      )
      .max(embedBatch),
  }),
  response: z.object({
    revision: Id.meta({ description: 'The revision that was looked at.' }),
    found: z.array(z.boolean()).meta({ description: 'One for each place.' }),
  }),
});

/** The most files of looks in one request. */
const mostLookFiles = 500;

/**
 * Keeps uploads of the caller for the look of a site, at addresses that hold while it uses them. Uploads that are not
 * there are left out. Refusals: `limit_reached`.
 */
export const keepLookFiles = internalOperation({
  id: 'keepLookFiles',
  service: 'content',
  deadlineMs: 8_000,
  input: z.object({ organization: Id, site: Id, uploads: z.array(z.string()).max(mostLookFiles) }),
  response: z.object({
    items: z.array(z.object({ upload: z.string(), url: z.url(), contentType: z.string() })),
  }),
});

/** Drops the kept files that the look of a site does not use any more. */
export const dropUnusedLookFiles = internalOperation({
  id: 'dropUnusedLookFiles',
  service: 'content',
  input: z.object({ site: Id, used: z.array(z.string()).max(contentBounds.usedLookFiles) }),
  response: z.object({}),
});
