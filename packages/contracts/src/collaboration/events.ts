import * as z from 'zod';

/*
 * Events of collaboration that other services may consume, as they are stored: additive only. Actor, time and organization
 * are metadata; whoever posted, replied or reacted is the actor. Texts are not in events: `text` names them in the database
 * of the service.
 */

const id = z.string();
/** Where a comment is: on the main content of a space, or on one of its change requests. */
const place = { space: id, changeRequest: id.nullable() };
/** A text: its name, how many bytes it has, and whom it mentions. */
const written = { text: id, bytes: z.int(), mentions: z.array(id) };

/** Stream `collaboration.comment-<id>`: a comment with its replies and the reactions to both. */
export const commentEventSchemas = {
  CommentPosted: z.object({
    ...place,
    ...written,
    /** The review that it came with. */
    review: id.nullable(),
    /** The part of the content that it is about; the whole of it when there is no `page`. */
    page: id.nullable(),
    node: id.nullable(),
    tableCell: z.object({ record: id, definition: id }).nullable(),
    /** The newest revision of the content when it was posted. */
    revision: id.nullable(),
  }),
  /** `previous`: the text before, which is deleted. */
  CommentEdited: z.object({ ...place, ...written, previous: id }),
  CommentResolved: z.object(place),
  CommentReopened: z.object(place),
  /** With all its replies. `authors`: how many comments and replies of whom are gone. */
  CommentDeleted: z.object({
    ...place,
    status: z.enum(['open', 'resolved']),
    authors: z.array(z.object({ user: id, items: z.int() })),
  }),
  CommentReactionAdded: z.object({ emoji: z.string() }),
  CommentReactionRemoved: z.object({ emoji: z.string() }),
  CommentReplyPosted: z.object({ ...place, ...written, reply: id }),
  CommentReplyEdited: z.object({ ...place, ...written, reply: id, previous: id }),
  CommentReplyDeleted: z.object({ ...place, reply: id, author: id, text: id }),
  CommentReplyReactionAdded: z.object({ reply: id, emoji: z.string() }),
  CommentReplyReactionRemoved: z.object({ reply: id, emoji: z.string() }),
};

/** A text of a change request and the one before, which is deleted. It has subject, description and links. */
const described = { text: id, previous: id.nullable(), bytes: z.int() };

/**
 * Stream `collaboration.request-<id>`: a change request. It exists from the moment it has a number; its content is a branch of
 * the same id.
 */
export const changeRequestEventSchemas = {
  ChangeRequestCreated: z.object({
    space: id,
    text: id.nullable(),
    bytes: z.int(),
    template: id.nullable(),
    conversationsIssuesCluster: id.nullable(),
    agentTask: id.nullable(),
  }),
  ChangeRequestDescribed: z.object({
    space: id,
    ...described,
    fields: z.array(z.enum(['subject', 'description', 'links'])),
  }),
  ChangeRequestOpened: z.object({ space: id }),
  ChangeRequestConvertedToDraft: z.object({ space: id }),
  ChangeRequestArchived: z.object({ space: id }),
  /** After it was archived or merged. */
  ChangeRequestReopened: z.object({ space: id }),
};

/** Stream `collaboration.numbers-<space>`: the numbers of the change requests of a space, without gaps. */
export const changeRequestNumberEventSchemas = {
  ChangeRequestNumbered: z.object({ changeRequest: id, number: z.int() }),
};
