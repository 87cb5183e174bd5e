import { readFile, stat } from 'node:fs/promises';
import { StopError } from '../stop-error.js';

/** A conversation as the API takes it. */
export interface SentConversation {
  id: string;
  subject?: string;
  parts: { type: 'message'; role: Role; body: string }[];
  metadata?: { url?: string; createdAt?: string; attributes?: Record<string, string> };
}
type Role = 'user' | 'assistant' | 'team-member';

type Json = Readonly<Record<string, unknown>>;

/** A file is read as a whole. */
const largestFile = 512 * 1024 * 1024;

/**
 * The conversations of a file: one a line as JSON, or an export of Zendesk (`tickets` with `comments`) or Intercom
 * (`conversations` with `conversation_parts`).
 * @throws StopError for a file that is none of these
 */
export async function readConversations(path: string): Promise<SentConversation[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) throw new StopError(`there is no file ${path}`);
  if (found.size > largestFile) throw new StopError(`${path} is larger than ${largestFile / 1024 / 1024} MiB`);
  const text = await readFile(path, 'utf8');
  if (path.endsWith('.jsonl')) return linesOf(path, text);
  const whole = parsed(path, text);
  if (isObject(whole) && Array.isArray(whole['tickets'])) return whole['tickets'].flatMap(ofZendesk);
  if (isObject(whole) && Array.isArray(whole['conversations'])) return whole['conversations'].flatMap(ofIntercom);
  throw new StopError(`${path} has neither tickets of Zendesk nor conversations of Intercom; name JSON lines .jsonl`);
}

/** Lines are sent as they are: the API says what is wrong with one. */
function linesOf(path: string, text: string): SentConversation[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parsed(`${path}:${index + 1}`, line);
    if (!isObject(value)) throw new StopError(`${path}:${index + 1} is no object`);
    return [value as object as SentConversation];
  });
}

function parsed(where: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StopError(`${where} is not JSON`);
  }
}

/** A ticket: what its requester wrote is that of a user. */
function ofZendesk(ticket: unknown): SentConversation[] {
  if (!isObject(ticket)) return [];
  const { id, subject, requester_id: requester, created_at: createdAt, comments } = ticket;
  const parts = listOf(comments).flatMap((comment) =>
    partOf(comment['author_id'] === requester ? 'user' : 'team-member', [
      comment['plain_body'],
      comment['body'],
      comment['html_body'],
    ]),
  );
  const described = parts.length > 0 ? parts : partOf('user', [ticket['description']]);
  return conversationOf({ id, subject, parts: described, url: ticket['url'], createdAt });
}

function ofIntercom(conversation: unknown): SentConversation[] {
  if (!isObject(conversation)) return [];
  const { id, title, source, created_at: created, conversation_parts: more } = conversation;
  const first = isObject(source) ? [source] : [];
  const others = isObject(more) ? listOf(more['conversation_parts']) : [];
  const parts = [...first, ...others].flatMap((part) => partOf(roleOf(part['author']), [part['body']]));
  const subject = title ?? (isObject(source) ? source['subject'] : undefined);
  const createdAt = typeof created === 'number' ? new Date(created * 1_000).toISOString() : undefined;
  return conversationOf({ id, subject, parts, url: isObject(source) ? source['url'] : undefined, createdAt });
}

function roleOf(author: unknown): Role {
  const type = isObject(author) ? author['type'] : undefined;
  if (type === 'bot') return 'assistant';
  return type === 'admin' || type === 'team' ? 'team-member' : 'user';
}

/** A message of the first of these that is a text. */
function partOf(role: Role, bodies: readonly unknown[]): SentConversation['parts'] {
  const body = bodies.find((text): text is string => typeof text === 'string' && text.trim() !== '');
  return body === undefined ? [] : [{ type: 'message', role, body: body.slice(0, longestPart) }];
}

const [longestPart, longestSubject, mostParts] = [65_536, 512, 200];

function conversationOf(found: {
  id: unknown;
  subject: unknown;
  parts: SentConversation['parts'];
  url: unknown;
  createdAt: unknown;
}): SentConversation[] {
  const { id, subject, parts, url, createdAt } = found;
  if ((typeof id !== 'string' && typeof id !== 'number') || parts.length === 0) return [];
  const line =
    typeof subject === 'string'
      ? subject
          .replaceAll(/\p{Cc}+/gu, ' ')
          .trim()
          .slice(0, longestSubject)
      : '';
  const metadata = {
    ...(typeof url === 'string' && /^https?:\/\//.test(url) ? { url } : {}),
    ...(typeof createdAt === 'string' && !Number.isNaN(Date.parse(createdAt))
      ? { createdAt: new Date(createdAt).toISOString() }
      : {}),
  };
  return [{ id: String(id), ...(line === '' ? {} : { subject: line }), parts: parts.slice(0, mostParts), metadata }];
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
