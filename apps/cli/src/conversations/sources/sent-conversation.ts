import { timeIn } from '../../command-line/moment.js';

/** A conversation as the API takes it. */
export interface SentConversation {
  id: string;
  subject?: string;
  parts: SentPart[];
  metadata?: { url?: string; createdAt?: string; attributes?: Record<string, string> };
}
export interface SentPart {
  type: 'message';
  role: Role;
  body: string;
}
export type Role = 'user' | 'assistant' | 'team-member';

/** A conversation of a file, and where in the file it stands, for messages. */
export interface FoundConversation {
  conversation: SentConversation;
  where: string;
}

export type Json = Readonly<Record<string, unknown>>;

const [longestPart, longestSubject, mostParts] = [65_536, 512, 200];

/** A message of the first of these that is a text. */
export function partOf(role: Role, bodies: readonly unknown[]): SentPart[] {
  const body = bodies.find((text): text is string => typeof text === 'string' && text.trim() !== '');
  return body === undefined ? [] : [{ type: 'message', role, body: cut(body, longestPart) }];
}

/** A conversation with what the API takes of it; none without an id or parts. */
export function conversationOf(found: {
  id: unknown;
  subject: unknown;
  parts: readonly SentPart[];
  url: unknown;
  createdAt: unknown;
}): SentConversation[] {
  const { id, subject, parts, url, createdAt } = found;
  if ((typeof id !== 'string' && typeof id !== 'number') || parts.length === 0) return [];
  const line = typeof subject === 'string' ? lineOf(subject) : '';
  const metadata = {
    ...(typeof url === 'string' && /^https?:\/\//.test(url) ? { url } : {}),
    // What is no time is sent as it is: the API refuses it, and the message says of which conversation it is.
    ...(typeof createdAt === 'string' && createdAt !== '' ? { createdAt: timeIn(createdAt) ?? createdAt } : {}),
  };
  return [{ id: String(id), ...(line === '' ? {} : { subject: line }), parts: parts.slice(0, mostParts), metadata }];
}

function lineOf(subject: string): string {
  return cut(subject.replaceAll(/\p{Cc}+/gu, ' ').trim(), longestSubject);
}

/** The beginning of a text, which ends with a whole character. */
function cut(text: string, most: number): string {
  return text
    .toWellFormed()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '');
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
