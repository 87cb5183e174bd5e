import type { ExtractedIssue, SentConversation, WeightTable } from '@scriptorium/clustering';
import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask, type ServiceContext } from '@scriptorium/platform';
import { bodyOf, headOf, type ConversationBody, type ConversationHead } from '../conversations/index.js';
import { findTexts } from '../texts/index.js';
import { type extractIssues, type ReadConversation, type textsForModel } from './extract.task.js';
import type { Waiting } from './waiting.queries.js';

const module = compiledModule('./extract.task.js', import.meta.url);
const issuesTask = { module, run: 'extractIssues', tooCostly: () => new AppError('too_large') };
const textsTask = { module, run: 'textsForModel', tooCostly: () => new AppError('too_large') };
/** How long reading the conversations of one step may take, and reading one of them. */
const [stepMs, singleMs] = [5_000, 2_000];
const extractAll = workerTask<typeof extractIssues>({ ...issuesTask, name: 'extract_issues', withinMs: stepMs });
const extractOne = workerTask<typeof extractIssues>({
  ...issuesTask,
  name: 'extract_issues_of_one',
  withinMs: singleMs,
});
const readAll = workerTask<typeof textsForModel>({ ...textsTask, name: 'texts_for_model', withinMs: stepMs });
const readOne = workerTask<typeof textsForModel>({ ...textsTask, name: 'texts_for_model_of_one', withinMs: singleMs });
/** Conversations of a step that are read one by one: those that take too long are to end with the step. */
const mostSingle = 8;

type Reading = Pick<ServiceContext, 'database' | 'workers'>;

/** The language of conversations that are too short to tell theirs. */
export const defaultLanguage = 'en';

/**
 * The issues of conversations, found without a model; or of the first of them, when they take too long together.
 * `undefined` for one that takes too long alone.
 */
export async function issuesIn(
  context: Reading,
  conversations: readonly Waiting[],
  table: WeightTable,
): Promise<(ExtractedIssue[] | undefined)[]> {
  const { workers } = context;
  const input = (some: readonly ReadConversation[]) => ({ conversations: some, table, language: defaultLanguage });
  return together(await textsOf(context, conversations), {
    all: (read) => workers.run(extractAll, input(read)),
    one: (read) => workers.run(extractOne, input([read])),
  });
}

/** What a model is sent of conversations, in the same way. */
export async function textsToSend(
  context: Reading,
  conversations: readonly Waiting[],
): Promise<(SentConversation | undefined)[]> {
  const { workers } = context;
  return together(await textsOf(context, conversations), {
    all: (read) => workers.run(readAll, read),
    one: (read) => workers.run(readOne, [read]),
  });
}

async function textsOf(
  context: Pick<Reading, 'database'>,
  conversations: readonly Waiting[],
): Promise<ReadConversation[]> {
  const places = conversations.map(({ _id: owner, organization, text }) => ({ organization, owner, text }));
  const heads = await findTexts(context, places.map(headOf));
  const bodies = await findTexts(context, places.map(bodyOf));
  return conversations.map((_, index): ReadConversation => {
    const [head, body] = [heads[index] as ConversationHead | undefined, bodies[index] as ConversationBody | undefined];
    return { subject: head?.subject, parts: body?.parts ?? [] };
  });
}

async function together<T>(
  read: readonly ReadConversation[],
  {
    all,
    one,
  }: { all: (some: readonly ReadConversation[]) => Promise<T[]>; one: (single: ReadConversation) => Promise<T[]> },
): Promise<(T | undefined)[]> {
  if (read.length === 0) return [];
  try {
    return await all(read);
  } catch (error) {
    if (!isTooCostly(error)) throw error;
  }
  const found: (T | undefined)[] = [];
  for (const single of read.slice(0, mostSingle))
    found.push(
      await one(single).then(
        ([only]) => only,
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
