import * as z from 'zod';
import { Id, Location, Timestamp } from '../../kernel/common.js';
import { embed } from '../../kernel/embed.js';
import { ChangeRequest } from '../../change-requests/change-request.js';
import { User } from '../../identity/people/users.js';
import { ContentFile } from './file.js';
import { Page } from './page.js';
import { ReusableContent } from './reusable-content.js';
import { Variables } from './variables.js';

export const RevisionType = z.enum(['edits', 'merge', 'rollback', 'update', 'computed']).meta({
  id: 'RevisionType',
  description:
    '`merge`: a change request was merged; `update`: a change request took over what is new in the main content; `computed`: written by the product itself, as a translation is.',
});

/** The commit of a synchronised repository that a revision is. */
export const RevisionGit = z
  .object({
    oid: z.string(),
    message: z.string(),
    createdByService: z.boolean().meta({ description: 'Whether this product made the commit.' }),
    url: z.url().optional(),
    ref: z.string(),
  })
  .meta({ id: 'RevisionGit' });

/** What every form of a revision has. */
const common = {
  object: z.literal('revision'),
  id: Id,
  parents: z
    .array(Id)
    .meta({ description: 'The revisions that it was made of: none for the first, two for a merge or an update.' }),
  type: RevisionType,
  mergedFrom: embed('change-request', ChangeRequest).optional().meta({ description: 'Of a merge.' }),
  createdAt: Timestamp,
  git: RevisionGit.optional(),
};

const urls = z.object({ app: z.url(), published: z.url().optional(), public: z.url().optional() });

/** The whole content of a space, or of a change request, at one time. Revisions do not change. */
export const Revision = z
  .object({
    ...common,
    pages: z.array(Page),
    files: z.array(ContentFile),
    reusableContents: z.array(ReusableContent),
    variables: Variables.optional(),
    urls,
  })
  .meta({ id: 'Revision' });
export type Revision = z.output<typeof Revision>;

/** A revision as a part of another answer: without pages and files, in the shape of a whole one. */
export const EmbeddedRevision = z
  .object({
    ...Revision.shape,
    pages: Revision.shape.pages.max(0),
    files: Revision.shape.files.max(0),
    reusableContents: Revision.shape.reusableContents.max(0),
  })
  .meta({ id: 'EmbeddedRevision' });
export type EmbeddedRevision = z.output<typeof EmbeddedRevision>;

/** A revision in the history of a space. */
export const RevisionSummary = z
  .object({
    ...common,
    createdBy: z
      .union([embed('user', User), z.object({ object: z.enum(['system', 'integration']), id: z.string() })])
      .meta({ description: 'A person, or a part of the installation.' }),
    urls: z.object({ ...Location.shape, app: z.url() }),
  })
  .meta({ id: 'RevisionSummary' });
export type RevisionSummary = z.input<typeof RevisionSummary>;
