import * as z from 'zod';

/*
 * Events of collaboration that other services may consume, as they are stored: additive only. Actor, time and
 * organization are metadata; whoever posted, replied or reacted is the actor. Texts are not in events: `text` names
 * them in the database of the service.
 */

const id = z.string();
/** Where a comment is: on the main content of a space, or on one of its change requests. */
const place = { space: id, changeRequest: id.nullable() };
/** A text: its name, how many bytes it has, and whom it mentions. */
const written = { text: id, bytes: z.int(), mentions: z.array(id) };
const changed = { previous: id, mentioned: z.array(id).default([]) };

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
  /** `previous`: the text before, which is deleted. `mentioned`: whom that did not mention. */
  CommentEdited: z.object({ ...place, ...written, ...changed }),
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
  CommentReplyEdited: z.object({ ...place, ...written, ...changed, reply: id }),
  CommentReplyDeleted: z.object({ ...place, reply: id, author: id, text: id }),
  CommentReplyReactionAdded: z.object({ reply: id, emoji: z.string() }),
  CommentReplyReactionRemoved: z.object({ reply: id, emoji: z.string() }),
};

/** A text of a change request and the one before, which is deleted. It has subject, description and links. */
const described = { text: id, previous: id.nullable(), bytes: z.int() };
/** The status before a change of it. Events from before it was recorded take the one that is usual. */
const movedFrom = z.enum(['draft', 'open', 'archived', 'merged']).default('open');

/**
 * Stream `collaboration.request-<id>`: a change request. It exists from the moment it has a number; its content is a
 * branch of the same id.
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
  /** Its creation broke off before it had a number. Nobody has seen it, and it gets none any more. */
  ChangeRequestAbandoned: z.object({ space: id }),
  ChangeRequestDescribed: z.object({
    space: id,
    ...described,
    fields: z.array(z.enum(['subject', 'description', 'links'])),
  }),
  ChangeRequestOpened: z.object({ space: id }),
  /** `from`: its status before. */
  ChangeRequestConvertedToDraft: z.object({ space: id, from: movedFrom }),
  ChangeRequestArchived: z.object({ space: id, from: movedFrom }),
  /** One that is merged is to have the status `to`. First its content takes changes again, then the status follows. */
  ChangeRequestReopeningBegan: z.object({ space: id, to: z.enum(['draft', 'open', 'archived']) }),
  /** After it was archived or merged. It is open then. */
  ChangeRequestReopened: z.object({ space: id, from: z.enum(['archived', 'merged']).default('archived') }),
  /**
   * The rules allow that `head`, its newest revision, is merged. Its actor is who merges. `attempt` names the attempt
   * for content.
   */
  ChangeRequestMergeBegan: z.object({ space: id, attempt: id, head: id }),
  /** The attempt changed nothing. `conflicts`: how many stood against it; `null` when something else did. */
  ChangeRequestMergeEnded: z.object({ space: id, attempt: id, by: id, conflicts: z.int().nullable() }),
  /**
   * `by`: the user who merged it, since the system may record it. `revision`: that of the space that it was merged
   * into.
   */
  ChangeRequestMerged: z.object({
    space: id,
    attempt: id,
    by: id,
    revision: id,
    from: z.enum(['draft', 'open', 'archived']),
  }),
  /**
   * People and teams were asked for a review of `revision`; only those who had not been asked already. A request to a
   * person ends with their stay in the organization (`membership`).
   */
  ReviewersRequested: z.object({
    space: id,
    revision: id,
    users: z.array(z.object({ user: id, membership: id })),
    teams: z.array(id),
  }),
  /** Of these one is `null`. */
  ReviewRequestWithdrawn: z.object({ space: id, user: id.nullable(), team: id.nullable() }),
  /**
   * Its actor has reviewed `revision`. `requestedBy`: who had asked for it. `teams`: those whose request this review
   * has met; that to the person is met by any of theirs. `comment`: a comment of the change request that is posted with
   * it.
   */
  ReviewSubmitted: z.object({
    space: id,
    review: id,
    status: z.enum(['approved', 'changes-requested']),
    revision: id,
    requestedBy: id.nullable(),
    teams: z.array(id),
    comment: z.object({ comment: id, ...written }).nullable(),
  }),
};

/** Stream `collaboration.numbers-<space>`: the numbers of the change requests of a space, without gaps. */
export const changeRequestNumberEventSchemas = {
  ChangeRequestNumbered: z.object({ changeRequest: id, number: z.int() }),
};
