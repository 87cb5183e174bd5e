import type { ExtractedIssue } from '@scriptorium/clustering';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { IssueDocument } from '../clusters/index.js';
import { findTexts, type TextPart } from '../texts/index.js';

/** Where the texts of an issue are: beside those of its conversation, so that they go with them. */
export function issueText({
  organization,
  conversation: owner,
  text,
  part,
}: Pick<IssueDocument, 'organization' | 'conversation' | 'text' | 'part'>): TextPart {
  return { place: { organization, owner, text }, part };
}

/** The name of the text of an issue, by its number in the conversation. */
export function partOfIssue(number: number): string {
  return `issue${number}`;
}

/** Issues with their texts. One whose texts are being deleted is left out. */
export async function readIssues(
  scope: Pick<Scope, 'database'>,
  docs: readonly Stored<IssueDocument>[],
): Promise<{ doc: Stored<IssueDocument>; issue: ExtractedIssue }[]> {
  const found = await findTexts(scope, docs.map(issueText));
  return docs.flatMap((doc, index) => {
    const issue = found[index] as ExtractedIssue | undefined;
    return issue === undefined ? [] : [{ doc, issue }];
  });
}
