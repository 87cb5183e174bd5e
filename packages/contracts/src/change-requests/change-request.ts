import * as z from 'zod';
import { Id, Timestamp, Url, text } from '../kernel/common.js';
import { embed } from '../kernel/embed.js';
import { User } from '../identity/people/users.js';
import { RichDocument } from '../kernel/rich-document.js';

const person = embed('user', User);

export const changeRequestStatuses = ['draft', 'open', 'archived', 'merged'] as const;
export const ChangeRequestStatus = z.enum(changeRequestStatuses).meta({ id: 'ChangeRequestStatus' });

/** Something outside that a change request is about: an issue, a discussion. */
export const ChangeRequestLink = z
  .object({
    id: Id,
    ref: z.object({ kind: z.literal('url'), url: Url }),
    title: z.string().optional(),
  })
  .meta({ id: 'ChangeRequestLink' });

/** A link in a request: one that is there keeps its id. */
export const ChangeRequestLinkInput = z.object({
  id: Id.optional(),
  ref: ChangeRequestLink.shape.ref,
  title: text(1, 128).optional(),
});

export const ChangeRequest = z
  .object({
    object: z.literal('change-request'),
    id: Id,
    number: z.int().min(1).meta({ description: 'Counts the change requests of the space, from 1.' }),
    status: ChangeRequestStatus,
    subject: z.string(),
    description: RichDocument.optional(),
    links: z.array(ChangeRequestLink).optional(),
    createdBy: person,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    mergedBy: person.optional(),
    mergedAt: Timestamp.optional(),
    space: Id,
    revision: Id.meta({ description: 'The newest revision of its content.' }),
    revisionInitial: Id.meta({ description: 'The revision of the space that it was created from.' }),
    revisionMergedAncestor: Id.optional().meta({
      description: 'The newest revision of the space that it has taken over since then.',
    }),
    revisionMerged: Id.optional().meta({ description: 'The revision of the space that it was merged into.' }),
    comments: z.int().min(0).meta({ description: 'The number of open comments.' }),
    outdated: z.boolean().meta({ description: 'Whether the space has revisions that it has not taken over.' }),
    conversationsIssuesCluster: Id.optional(),
    agentTaskId: Id.optional(),
    urls: z.object({ app: z.url(), location: z.url() }),
  })
  .meta({ id: 'ChangeRequest' });
export type ChangeRequest = z.input<typeof ChangeRequest>;

/** How often somebody has done something in a change request, and when last. */
export const ChangeRequestContributor = z
  .object({
    user: person,
    actionType: z.enum(['edit', 'comment', 'review']).meta({ description: 'A reply is a comment, too.' }),
    count: z.int().min(1),
    updatedAt: Timestamp,
  })
  .meta({ id: 'ChangeRequestContributor' });
export type ChangeRequestContributor = z.input<typeof ChangeRequestContributor>;
