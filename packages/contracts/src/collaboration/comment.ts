import * as z from 'zod';
import { exceedsBytes, tooManyBytes } from '../kernel/bytes.js';
import { Id, Location, Timestamp, text } from '../kernel/common.js';
import { embed } from '../kernel/embed.js';
import { User } from '../identity/people/users.js';
import { RichDocument, RichDocumentInput } from '../kernel/rich-document.js';
import { collaborationBounds } from './bounds.js';

const person = embed('user', User);

/** An id within the document of a page: of a node, or of a row or column of a table. */
const PartId = text(1, 128);
const NodePart = z.object({ id: PartId });
export const TableCell = z.object({ record: PartId, definition: PartId }).meta({
  id: 'TableCell',
  description: 'A cell of a table: its row (`record`) and its column (`definition`).',
});

/** The text of a comment or reply, in one of two forms. */
const CommentBody = z
  .object({ markdown: z.string().optional(), document: RichDocument.optional() })
  .meta({ id: 'CommentBody', description: '`markdown`, unless `format=document` was asked for.' });

export const CommentReaction = z
  .object({
    emoji: z.string().meta({ description: 'Code points in lower-case hexadecimal, joined by `-`.' }),
    count: z.int().min(1),
    users: z.array(z.object({ user: person, reactedAt: Timestamp })).meta({ description: 'The first one first.' }),
  })
  .meta({ id: 'CommentReaction' });
export type CommentReaction = z.input<typeof CommentReaction>;

const CommentTarget = z
  .object({
    space: Id,
    changeRequest: Id.optional(),
    review: Id.optional().meta({ description: 'The review that it came with.' }),
    page: z.object({ id: Id }).optional(),
    node: NodePart.optional(),
    tableCell: TableCell.optional(),
    revision: Id.optional().meta({ description: 'The newest revision when it was posted.' }),
  })
  .meta({ id: 'CommentTarget' });

const permissions = z.object({ view: z.boolean(), edit: z.boolean(), reply: z.boolean(), delete: z.boolean() });

/** What comments and replies have. */
const posted = {
  id: Id,
  postedBy: person,
  postedAt: Timestamp,
  editedAt: Timestamp.optional(),
  reactions: z.array(CommentReaction),
  body: CommentBody,
  urls: Location,
  permissions,
};

export const Comment = z
  .object({
    object: z.literal('comment'),
    ...posted,
    status: z.enum(['open', 'resolved']),
    resolvedAt: Timestamp.optional(),
    resolvedBy: person.optional(),
    replies: z.int().min(0),
    repliers: z
      .array(z.object({ user: person, updatedAt: Timestamp, count: z.int().min(1) }))
      .meta({ description: 'Who has replied, how often and when last; the latest first.' }),
    target: CommentTarget,
    orphaned: z.literal(true).optional().meta({ description: 'Set if its page is not there any more.' }),
  })
  .meta({ id: 'Comment' });
export type Comment = z.input<typeof Comment>;

export const CommentReply = z.object({ object: z.literal('comment-reply'), ...posted }).meta({ id: 'CommentReply' });
export type CommentReply = z.input<typeof CommentReply>;

function refuseLarge(given: RichDocumentInput, context: z.RefinementCtx): void {
  const isMarkdown = 'markdown' in given && !('object' in given);
  const document = 'document' in given ? given.document : given;
  const size = isMarkdown
    ? { path: ['markdown'], text: given.markdown, most: collaborationBounds.markdownBytes }
    : { path: [], text: JSON.stringify(document), most: collaborationBounds.documentBytes };
  if (exceedsBytes(size.text, size.most))
    context.addIssue({ code: 'custom', path: size.path, ...tooManyBytes(size.most) });
}

function refuseBlank(given: RichDocumentInput, context: z.RefinementCtx): void {
  if ('markdown' in given && !('object' in given) && given.markdown.trim() === '')
    context.addIssue({ code: 'custom', path: ['markdown'], message: 'Must not be blank' });
}

const sizes =
  'Markdown of at most 64 KiB, or a document of at most 256 KiB of JSON, in the field `document` or without it.';

/** The text of a comment or reply in a request. */
export const CommentBodyInput = RichDocumentInput.superRefine(refuseLarge)
  .superRefine(refuseBlank)
  .meta({ description: sizes });

/** The description of a change request in a request. */
export const DescriptionInput = RichDocumentInput.superRefine(refuseLarge).meta({ description: sizes });

/** What a new comment is about, besides its space or change request. */
export const commentTargetInput = {
  page: Id.optional().meta({ description: 'The page that it is about; the whole space or change request if absent.' }),
  node: PartId.optional().meta({ description: 'The node of the document of `page` that it is about.' }),
  tableCell: TableCell.optional().meta({ description: 'The cell that it is about, of a table of `page`.' }),
};
