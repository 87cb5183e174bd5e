import {
  issuesOf,
  sentToModel,
  weightsOf,
  type ConversationText,
  type ExtractedIssue,
  type SentConversation,
  type WeightTable,
} from '@scriptorium/clustering';
import { parseMarkdown, RichTextError, toPlainText, withoutScripts } from '@scriptorium/rich-text';
import { MarkupBudget, withoutTags } from '../markup.js';

/** A conversation as the task reads it. */
export interface ReadConversation {
  subject?: string | undefined;
  parts: readonly { role: 'user' | 'assistant' | 'team-member'; body: string }[];
}

/** The issues of conversations, in their order. Runs in a worker. */
export function extractIssues({
  conversations,
  table,
  language,
}: {
  conversations: readonly ReadConversation[];
  table: WeightTable;
  language: string;
}): ExtractedIssue[][] {
  const weights = weightsOf(table);
  return conversations.map((conversation) => issuesOf(textOf(conversation), { language, weights }));
}

/** What a model is sent of conversations, in their order. Runs in a worker. */
export function textsForModel(conversations: readonly ReadConversation[]): SentConversation[] {
  return conversations.map((conversation) => sentToModel(textOf(conversation)));
}

function textOf({ subject, parts }: ReadConversation): ConversationText {
  return { ...(subject === undefined ? {} : { subject }), parts: readParts(parts) };
}

/** Parts of a user that are read, and characters of them. Whoever looks for issues reads no more. */
const [mostParts, longestRead] = [20, 128 * 1024];
/** Tags of a conversation that are read; what has more of them is read without. */
const mostTags = 4_000;

/** What users say, as text. Parts beyond the bounds are not even parsed. */
function readParts(parts: ReadConversation['parts']): ConversationText['parts'] {
  const read: { role: 'user'; text: string }[] = [];
  const budget = new MarkupBudget(mostTags);
  let room = longestRead;
  for (const { role, body } of parts) {
    if (role !== 'user') continue;
    if (read.length === mostParts || room <= 0) break;
    const text = plainText(body.slice(0, room), budget);
    room -= body.length;
    if (text.trim() !== '') read.push({ role, text });
  }
  return read;
}

/**
 * HTML as text, without scripts and styles. Markdown stays as it is: what is no text in it is left out by whoever looks
 * for issues.
 */
function plainText(body: string, budget: MarkupBudget): string {
  if (!/<[a-zA-Z!/?]/.test(body)) return body;
  const shown = withoutScripts(body);
  if (!budget.allows(shown)) return withoutTags(shown);
  try {
    return toPlainText(parseMarkdown(shown).document);
  } catch (error) {
    if (error instanceof RichTextError) return withoutTags(shown);
    throw error;
  }
}
