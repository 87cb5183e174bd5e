import { issuesOf, weightsOf, type ExtractedIssue, type WeightTable } from '@scriptorium/clustering';
import { parseMarkdown, RichTextError, toPlainText, withoutScripts } from '@scriptorium/rich-text';

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
  return conversations.map(({ subject, parts }) =>
    issuesOf(
      {
        ...(subject === undefined ? {} : { subject }),
        parts: parts.map(({ role, body }) => ({ role, text: role === 'user' ? plainText(body) : '' })),
      },
      { language, weights },
    ),
  );
}

/**
 * HTML as text, without scripts and styles. Markdown stays as it is: what is no text in it is left out by whoever looks
 * for issues.
 */
function plainText(body: string): string {
  if (!/<[a-zA-Z!/?]/.test(body)) return body;
  const shown = withoutScripts(body);
  try {
    return toPlainText(parseMarkdown(shown).document);
  } catch (error) {
    if (error instanceof RichTextError) return shown.replaceAll(/<[^>]*>/g, ' ');
    throw error;
  }
}
