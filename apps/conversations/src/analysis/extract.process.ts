import type { ExtractedIssue, WeightTable } from '@scriptorium/clustering';
import { AppError } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { compiledModule, workerTask, type ServiceContext } from '@scriptorium/platform';
import {
  bodyOf,
  headOf,
  type ConversationBody,
  type ConversationDocument,
  type ConversationHead,
} from '../conversations/index.js';
import { findTexts } from '../texts/index.js';
import { type extractIssues, type ReadConversation } from './extract.task.js';

const shared = {
  module: compiledModule('./extract.task.js', import.meta.url),
  run: 'extractIssues',
  tooCostly: () => new AppError('too_large'),
} as const;
/** Reads the conversations of one step. */
const stepTask = workerTask<typeof extractIssues>({ ...shared, name: 'extract_issues', withinMs: 5_000 });
/** Reads one conversation. */
const singleTask = workerTask<typeof extractIssues>({ ...shared, name: 'extract_issues_of_one', withinMs: 2_000 });
/** Conversations of a step that are read one by one: those that take too long are to end with the step. */
const mostSingle = 8;

/** A conversation with the issues that were found in it. */
export interface Extracted {
  conversation: Stored<ConversationDocument>;
  issues: ExtractedIssue[];
  /** It could not be read in time. */
  failed: boolean;
}

/** The language of conversations that are too short to tell theirs. */
const language = 'en';

/**
 * Finds the issues of conversations, or of the first of them, when they take too long together. One that takes too long
 * alone fails, and the others do not.
 */
export async function extract(
  context: Pick<ServiceContext, 'database' | 'workers'>,
  conversations: readonly Stored<ConversationDocument>[],
  table: WeightTable,
): Promise<Extracted[]> {
  const places = conversations.map(({ _id: owner, organization, text }) => ({ organization, owner, text }));
  const heads = await findTexts(context, places.map(headOf));
  const bodies = await findTexts(context, places.map(bodyOf));
  const read = conversations.map((_, index): ReadConversation => {
    const [head, body] = [heads[index] as ConversationHead | undefined, bodies[index] as ConversationBody | undefined];
    return { subject: head?.subject, parts: body?.parts ?? [] };
  });
  const found = await extractTogether(context, read, table);
  return conversations.slice(0, found.length).map((conversation, index) => {
    const issues = found[index];
    return { conversation, issues: issues ?? [], failed: issues === undefined };
  });
}

/** The issues of each, or of the first of them; `undefined` for one that takes too long. */
async function extractTogether(
  { workers }: Pick<ServiceContext, 'workers'>,
  read: readonly ReadConversation[],
  table: WeightTable,
): Promise<(ExtractedIssue[] | undefined)[]> {
  if (read.length === 0) return [];
  try {
    return await workers.run(stepTask, { conversations: read, table, language });
  } catch (error) {
    if (!isTooCostly(error)) throw error;
  }
  const found: (ExtractedIssue[] | undefined)[] = [];
  for (const one of read.slice(0, mostSingle))
    found.push(
      await workers.run(singleTask, { conversations: [one], table, language }).then(
        ([issues]) => issues,
        (error: unknown) => {
          if (isTooCostly(error)) return undefined;
          throw error;
        },
      ),
    );
  return found;
}

function isTooCostly(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'too_large';
}
