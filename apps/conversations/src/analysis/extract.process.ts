import { withTerms, type ExtractedIssue, type WeightTable } from '@scriptorium/clustering';
import type { ServiceContext } from '@scriptorium/platform';
import { findAnswers, type Answer } from './answers.operational.js';
import { defaultLanguage, issuesIn } from './read-conversations.process.js';
import type { Waiting } from './waiting.queries.js';

/** A conversation with the issues that were found in it. */
export interface Extracted {
  conversation: Waiting;
  issues: ExtractedIssue[];
  /** By what they were found. */
  analyzer: 'extractive' | 'chat';
  /** It could not be read in time. */
  failed: boolean;
}

/**
 * Finds the issues of conversations, or of the first of them, when they take too long together. One that takes too long
 * alone fails, and the others do not. What a model has said of a conversation counts instead.
 */
export async function extract(
  context: Pick<ServiceContext, 'database' | 'workers'>,
  conversations: readonly Waiting[],
  table: WeightTable,
): Promise<Extracted[]> {
  const answers = await findAnswers(context, conversations);
  const found = await issuesIn(context, conversations, table);
  return conversations.slice(0, found.length).map((conversation, index) => {
    const [issues, answer] = [found[index], answers[index]];
    const said = issuesOf(answer, issues?.[0]?.language ?? defaultLanguage);
    if (said !== undefined) return { conversation, issues: said, analyzer: 'chat', failed: false };
    return { conversation, issues: issues ?? [], analyzer: 'extractive', failed: issues === undefined };
  });
}

/** Issues that a model told, with what they are compared by. */
function issuesOf(answer: Answer | undefined, language: string): ExtractedIssue[] | undefined {
  return answer?.issues?.map((issue) => withTerms(issue, language));
}
