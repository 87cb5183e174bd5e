import { createHash } from 'node:crypto';
import PostalMime, { type Email } from 'postal-mime';
import { threadsOf, type Mail } from './mail-threads.js';
import { timeOfMail, type MailTime } from './mail-time.js';
import type { FoundConversation } from './sent-conversation.js';

const lineFeed = 10;
const carriageReturn = 13;
const separator = /^From \S.*\d{1,2}:\d{2}/;
/** Of a line that separates messages. */
const longestSeparator = 200;

/** Whether a file is a mailbox: it begins with a line that separates messages. */
export function isMbox(bytes: Buffer): boolean {
  return separator.test(bytes.toString('latin1', 0, longestSeparator).split(/\r?\n/)[0] ?? '');
}

/**
 * The threads of a mailbox, and what of it could not be read or has another time than its messages tell.
 * @param team addresses and domains of the own people
 */
export async function readMbox(
  path: string,
  bytes: Buffer,
  { team, now }: { team: readonly string[]; now: number },
): Promise<{ found: FoundConversation[]; warnings: string[] }> {
  const messages: Mail[] = [];
  const numbers: number[] = [];
  const warnings: string[] = [];
  let number = 0;
  for (const { raw, separator } of messagesIn(bytes)) {
    number += 1;
    try {
      const email = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
      const time = timeOfMail({ headers: email.headers, separator }, now);
      if (time.insteadOf !== undefined) warnings.push(`${path}: message ${number} ${aboutTime(time)}`);
      messages.push(mailOf(raw, email, time.date));
      numbers.push(number);
    } catch (error) {
      warnings.push(`${path}: message ${number} cannot be read: ${error instanceof Error ? error.message : ''}`);
    }
  }
  const found = threadsOf(messages, team).map(({ conversation, first }) => ({
    conversation,
    where: `${path}: message ${numbers[first - 1] ?? first}`,
  }));
  return { found, warnings };
}

function aboutTime({ date, insteadOf }: MailTime): string {
  const taken =
    date === undefined
      ? 'a conversation that begins with it begins now'
      : `its time is taken from ${insteadOf ?? 'another place'}: ${date}`;
  return `has no usable header Date; ${taken}`;
}

/** The messages of a mailbox, each with the line that separates it from the one before. */
function* messagesIn(bytes: Buffer): Generator<{ raw: Buffer; separator: string }> {
  let start = 0;
  for (let at = 0; at !== -1;) {
    const next = nextSeparator(bytes, at + 1);
    const lineEnd = bytes.indexOf(lineFeed, start);
    if (lineEnd !== -1)
      yield {
        raw: unescaped(bytes.subarray(lineEnd + 1, next === -1 ? bytes.length : next)),
        separator: bytes.toString('latin1', start, Math.min(lineEnd, start + longestSeparator)),
      };
    at = next;
    start = next;
  }
}

/** Where the next message begins: behind an empty line. */
function nextSeparator(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf('\nFrom ', from); at !== -1; at = bytes.indexOf('\nFrom ', at + 1)) {
    const before = bytes[at - 1] === carriageReturn ? bytes[at - 2] : bytes[at - 1];
    const line = bytes.toString('latin1', at + 1, at + 1 + longestSeparator).split('\n', 1)[0] ?? '';
    if (before === lineFeed && separator.test(line)) return at + 1;
  }
  return -1;
}

/** Lines that begin with `From` have a sign before it, so that they separate nothing. */
function unescaped(raw: Buffer): Buffer {
  if (!raw.includes('\n>')) return raw;
  return Buffer.from(raw.toString('latin1').replaceAll(/^>(>*From )/gm, '$1'), 'latin1');
}

function mailOf(raw: Buffer, email: Email, date: string | undefined): Mail {
  const { messageId, inReplyTo, references, from, subject = '', text, html } = email;
  return {
    id: idsIn(messageId)[0] ?? createHash('sha256').update(raw).digest('hex'),
    references: [...idsIn(references), ...idsIn(inReplyTo)],
    from: (from?.address ?? '').toLowerCase(),
    subject: subject.replace(/^(?:(?:re|aw|sv|fwd?|wg|tr)\s*(?:\[\d+\])?:\s*)+/i, ''),
    body: text !== undefined && text.trim() !== '' ? text : (html ?? ''),
    date,
    automatic: isAutomatic(email),
  };
}

function isAutomatic({ headers }: Email): boolean {
  const header = headers.find(({ key }) => key === 'auto-submitted');
  return header !== undefined && !/^no\b/i.test(header.value.trim());
}

function idsIn(header: string | undefined): string[] {
  return (header?.match(/<[^<>\s]{1,2000}>/g) ?? []).map((id) => id.slice(1, -1));
}
