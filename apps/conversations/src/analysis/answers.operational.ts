import type { AnalyzedIssue } from '@scriptorium/clustering';
import type { Scope } from '@scriptorium/platform';
import { answerPart, dropParts, findTexts, storeTexts, type TextPart } from '../texts/index.js';
import type { Waiting } from './waiting.queries.js';

/** What a model said of a conversation; `issues` is `null` where it gave nothing that can be used. */
export interface Answer {
  issues: AnalyzedIssue[] | null;
}

/** Answers stand beside the texts of their conversation, so that they go with them. */
export function answerOf({ organization, _id: owner, text }: Pick<Waiting, 'organization' | '_id' | 'text'>): TextPart {
  return { place: { organization, owner, text }, part: answerPart };
}

/** What a model has said of these conversations, in their order; `undefined` for one of which it was not asked. */
export async function findAnswers(
  scope: Pick<Scope, 'database'>,
  conversations: readonly Waiting[],
): Promise<(Answer | undefined)[]> {
  return (await findTexts(scope, conversations.map(answerOf))) as (Answer | undefined)[];
}

/** Keeps what a model has said until it is recorded: a step that is repeated does not ask again. */
export async function keepAnswer(
  scope: Pick<Scope, 'database' | 'now'>,
  conversation: Waiting,
  answer: Answer,
): Promise<void> {
  await storeTexts(scope, [{ ...answerOf(conversation), value: answer }]);
}

/** Deletes answers that are recorded, or of which the conversation is gone. */
export async function dropAnswers(
  scope: Pick<Scope, 'database'>,
  conversations: readonly Pick<Waiting, 'organization' | '_id' | 'text'>[],
): Promise<void> {
  await dropParts(scope, conversations.map(answerOf));
}
