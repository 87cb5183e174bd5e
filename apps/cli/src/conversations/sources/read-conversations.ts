import { readFile, stat } from 'node:fs/promises';
import { StopError } from '../../stop-error.js';
import { ofIntercom } from './intercom.js';
import { isMbox, readMbox } from './mbox.js';
import { isObject, listOf, type FoundConversation, type Json, type SentConversation } from './sent-conversation.js';
import { ofZendesk, rolesIn } from './zendesk.js';

export interface ReadConversations {
  found: FoundConversation[];
  /** What could not be read or was read otherwise than it is written, a line for each. */
  warnings: string[];
}

/** A file is read as a whole. */
const largestFile = 512 * 1024 * 1024;

/**
 * The conversations of a file: one a line as JSON, an export of Zendesk (`tickets` with `comments`) or Intercom
 * (`conversations` with `conversation_parts`) as a whole or one a line, or threads of a mailbox.
 * @param options `team`: addresses and domains of the own people, for mailboxes; `now`: ms
 * @throws StopError for a file that is none of these, or has no conversations
 */
export async function readConversations(
  path: string,
  options: { team: readonly string[]; now: number },
): Promise<ReadConversations> {
  const file = await stat(path).catch(() => undefined);
  if (file?.isFile() !== true) throw new StopError(`there is no file ${path}`);
  if (file.size > largestFile) throw new StopError(`${path} is larger than ${largestFile / 1024 / 1024} MiB`);
  const bytes = await readFile(path);
  const text = (): string => bytes.toString('utf8').replace(/^\ufeff/, '');
  if (file.size === 0 || (file.size < 1024 && text().trim() === '')) throw new StopError(`${path} is empty`);
  const read = isMbox(bytes) ? await readMbox(path, bytes, options) : { found: readText(path, text()), warnings: [] };
  if (read.found.length === 0) throw new StopError(`${path} has no conversations that can be sent`);
  return read;
}

function readText(path: string, text: string): FoundConversation[] {
  if (path.endsWith('.mbox')) throw new StopError(`${path} is no mailbox: it must begin with a line "From … <time>"`);
  if (path.endsWith('.jsonl')) return linesOf(path, text);
  const whole = parsed(text);
  const all = whole === undefined ? [] : conversationsOf(whole);
  if (all !== undefined && whole !== undefined)
    return all.map((conversation, index) => ({ conversation, where: `${path}: conversation ${index + 1}` }));
  if (whole === undefined && text.includes('\n')) return exportedLines(path, text);
  if (whole === undefined) throw new StopError(`${path} is not JSON`);
  throw new StopError(`${path} has neither tickets of Zendesk nor conversations of Intercom; name JSON lines .jsonl`);
}

/** What an export has; `undefined` for what is none. */
function conversationsOf(whole: unknown): SentConversation[] | undefined {
  if (Array.isArray(whole)) {
    const each = listOf(whole).map(conversationsOf);
    return each.every((found) => found !== undefined) && whole.length > 0 ? each.flat() : undefined;
  }
  if (!isObject(whole)) return undefined;
  const { tickets, users, conversations } = whole;
  if (Array.isArray(tickets)) return listOf(tickets).flatMap((ticket) => ofZendesk(ticket, rolesIn(users)));
  if (Array.isArray(conversations)) return listOf(conversations).flatMap(ofIntercom);
  return oneOf(whole);
}

/** A ticket or a conversation that stands alone. */
function oneOf(value: Json): SentConversation[] | undefined {
  if ('conversation_parts' in value || value['type'] === 'conversation') return ofIntercom(value);
  if ('requester_id' in value || 'requester' in value || 'comments' in value || 'audits' in value)
    return ofZendesk(value);
  return undefined;
}

/** Lines are sent as they are, those of exports apart: the API says what is wrong with one. */
function linesOf(path: string, text: string): FoundConversation[] {
  return objectsOf(path, text).flatMap(({ value, where }) => {
    const exported = 'parts' in value ? undefined : oneOf(value);
    const given = value as object as SentConversation;
    return (exported ?? [given]).map((conversation) => ({ conversation, where }));
  });
}

/** An export with one ticket or conversation a line. */
function exportedLines(path: string, text: string): FoundConversation[] {
  return objectsOf(path, text).flatMap(({ value, where }) => {
    const exported = oneOf(value);
    if (exported === undefined) throw new StopError(`${where} is neither a ticket of Zendesk nor one of Intercom`);
    return exported.map((conversation) => ({ conversation, where }));
  });
}

function objectsOf(path: string, text: string): { value: Json; where: string }[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const where = `${path}:${index + 1}`;
    const value = parsed(line);
    if (value === undefined) throw new StopError(`${where} is not JSON`);
    if (!isObject(value)) throw new StopError(`${where} is no object`);
    return [{ value, where }];
  });
}

/** `undefined` for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
