import {
  conversationOf,
  isObject,
  listOf,
  partOf,
  type Json,
  type Role,
  type SentConversation,
} from './sent-conversation.js';

/** The author of what the help desk itself writes. */
const system = -1;
/** What stands for text that somebody has redacted. */
const redacted = /^[▇█\s]*$/u;

/**
 * A ticket of Zendesk: what its requester and other end users wrote is that of a user. Internal notes (`public: false`)
 * and deleted tickets are left out. Comments stand in the ticket, or as events of its audits.
 * @param roles the roles of people whom the file describes, by id
 */
export function ofZendesk(ticket: Json, roles: ReadonlyMap<unknown, unknown> = new Map()): SentConversation[] {
  const { id, subject, requester_id: requesterId, requester, created_at: createdAt, url, status } = ticket;
  if (status === 'deleted') return [];
  const asking = requesterId ?? (isObject(requester) ? requester['id'] : undefined);
  const comments = commentsOf(ticket);
  const parts = comments.flatMap((comment) =>
    comment['public'] === false ? [] : partOf(roleOf(comment, asking, roles), bodiesOf(comment)),
  );
  // The description is the first comment, which may be an internal note, too.
  const isInternal = ticket['is_public'] === false || comments.length > 0;
  const described = parts.length > 0 || isInternal ? parts : partOf('user', shown([ticket['description']]));
  return conversationOf({ id, subject, parts: described, url, createdAt });
}

/** Roles of people, of a file that describes them beside its tickets. */
export function rolesIn(users: unknown): Map<unknown, unknown> {
  return new Map(listOf(users).map(({ id, role }) => [id, role]));
}

function commentsOf({ comments, audits }: Json): Json[] {
  const own = listOf(comments);
  if (own.length > 0) return own;
  const events = listOf(audits).flatMap(({ events: all, author_id: author }) =>
    listOf(all).map((event): Json => ({ author_id: author, ...event })),
  );
  return events.filter(({ type }) => type === 'Comment' || type === 'VoiceComment');
}

function bodiesOf(comment: Json): unknown[] {
  return shown([comment['plain_body'], comment['body'], comment['html_body']]);
}

function shown(bodies: readonly unknown[]): unknown[] {
  return bodies.filter((body) => typeof body === 'string' && !redacted.test(body));
}

function roleOf(comment: Json, asking: unknown, roles: ReadonlyMap<unknown, unknown>): Role {
  const { author } = comment;
  const id = comment['author_id'] ?? (isObject(author) ? author['id'] : undefined);
  if (id === system) return 'assistant';
  const role = (isObject(author) ? author['role'] : undefined) ?? roles.get(id);
  return role === 'end-user' || (id !== undefined && id === asking) ? 'user' : 'team-member';
}
