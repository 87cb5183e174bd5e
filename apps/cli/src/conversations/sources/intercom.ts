import {
  conversationOf,
  isObject,
  listOf,
  partOf,
  type Json,
  type Role,
  type SentConversation,
} from './sent-conversation.js';

/**
 * Parts whose body both sides see. Notes are not among them (`note`, `note_and_reopen`), and what becomes known later
 * is not sent unless it is named here.
 */
const publicParts: ReadonlySet<unknown> = new Set(['comment', 'open', 'close', 'assignment', 'quick_reply', undefined]);

/** A conversation of Intercom: its first message (`source`), and its parts without notes and redacted ones. */
export function ofIntercom(conversation: Json): SentConversation[] {
  const { id, title, source, created_at: created, conversation_parts: more } = conversation;
  const first = isObject(source) ? [source] : [];
  const others = listOf(isObject(more) ? more['conversation_parts'] : more).filter((part) =>
    publicParts.has(part['part_type']),
  );
  const parts = [...first, ...others].flatMap((part) =>
    part['redacted'] === true ? [] : partOf(roleOf(part['author']), [part['body']]),
  );
  const subject = [title, isObject(source) ? source['subject'] : undefined].map(textOf).find((text) => text !== '');
  const createdAt = typeof created === 'number' ? timeOf(created) : created;
  return conversationOf({ id, subject, parts, url: isObject(source) ? source['url'] : undefined, createdAt });
}

/** A time in seconds. What is too large for a date is given as it is. */
function timeOf(seconds: number): string {
  const time = new Date(seconds * 1_000);
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}

/** Subjects are HTML. */
function textOf(subject: unknown): string {
  return typeof subject === 'string' ? subject.replaceAll(/<\/?[a-z][^<>]{0,500}>/gi, '').trim() : '';
}

/** Users, leads, contacts and visitors ask; bots and what is made by AI in the name of an admin assist. */
function roleOf(author: unknown): Role {
  if (!isObject(author)) return 'user';
  const { type } = author;
  if (type === 'bot' || author['from_ai_agent'] === true || author['is_ai_answer'] === true) return 'assistant';
  return type === 'admin' || type === 'team' ? 'team-member' : 'user';
}
