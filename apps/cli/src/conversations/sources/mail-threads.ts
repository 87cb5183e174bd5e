import { createHash } from 'node:crypto';
import { conversationOf, partOf, type Role, type SentConversation } from './sent-conversation.js';

/** A message as threads are made of it. */
export interface Mail {
  /** Its Message-ID; a digest of the message for one without. */
  id: string;
  /** What it answers, the oldest first. */
  references: readonly string[];
  from: string;
  subject: string;
  body: string;
  /** `undefined` where nothing tells it. */
  date: string | undefined;
  /** Whether a machine has written it. */
  automatic: boolean;
}

/** A thread, with the number of its first message in the file. */
export interface Thread {
  conversation: SentConversation;
  first: number;
}

/**
 * The threads of messages. Whoever began one is a user, and others are of the team, unless the own people are told:
 * then everybody else is a user. The id of a thread is that of the message it began with, so that it stays the same
 * when more of it is sent.
 */
export function threadsOf(messages: readonly Mail[], team: readonly string[]): Thread[] {
  const groups = new Map<string, { mail: Mail; index: number }[]>();
  const rootOf = rootsOf(messages);
  const seen = new Set<string>();
  for (const [index, mail] of messages.entries()) {
    if (seen.has(mail.id)) continue;
    seen.add(mail.id);
    const root = rootOf(mail.id);
    groups.set(root, [...(groups.get(root) ?? []), { mail, index }]);
  }
  return [...groups.values()].flatMap((found) => {
    const ordered = found.sort((a, b) => (a.mail.date ?? '').localeCompare(b.mail.date ?? '') || a.index - b.index);
    const first = Math.min(...found.map(({ index }) => index));
    return conversationIn(
      ordered.map(({ mail }) => mail),
      team,
    ).map((conversation) => ({ conversation, first: first + 1 }));
  });
}

/** Tells for each message which thread it is in, by what messages refer to. */
function rootsOf(messages: readonly Mail[]): (id: string) => string {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    // What was walked leads to the root at once from now on.
    for (let at = id, next = parents.get(at); next !== undefined; at = next, next = parents.get(at))
      if (next !== root) parents.set(at, root);
    return root;
  };
  for (const { id, references } of messages)
    for (const other of references) {
      const [mine, theirs] = [rootOf(id), rootOf(other)];
      if (mine !== theirs) parents.set(mine, theirs);
    }
  return rootOf;
}

function conversationIn(thread: readonly Mail[], team: readonly string[]): SentConversation[] {
  const [begun] = thread;
  if (begun === undefined) return [];
  const parts = thread.flatMap((mail) => partOf(roleOf(mail, begun, team), [mail.body]));
  const id = begun.references[0] ?? begun.id;
  return conversationOf({ id: shortened(id), subject: begun.subject, parts, url: undefined, createdAt: begun.date });
}

function roleOf({ from, automatic }: Mail, begun: Mail, team: readonly string[]): Role {
  if (automatic) return 'assistant';
  if (team.length === 0) return from === begun.from ? 'user' : 'team-member';
  return team.some((own) => from === own || from.endsWith(`@${own}`)) ? 'team-member' : 'user';
}

const longestId = 255;

function shortened(id: string): string {
  return id.length <= longestId ? id : createHash('sha256').update(id).digest('hex');
}
