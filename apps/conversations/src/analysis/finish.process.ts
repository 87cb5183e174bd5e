import { requireVisible } from '@scriptorium/platform';
import { clusterEvents, withdrawIssues } from '../clusters/index.js';
import { conversation, conversationEvents, finish } from '../conversations/index.js';
import { confirmTexts, dropTexts } from '../texts/index.js';
import type { Analysing } from './analysing.process.js';
import { issueText, partOfIssue } from './issue-texts.process.js';
import type { Analysed } from './waiting.queries.js';

/** Commands at a time. */
const concurrency = 32;

/**
 * Tells that conversations are processed. Of those that were deleted or replaced meanwhile, issues are taken out again
 * with their texts.
 */
export async function finishConversations(
  { context, store, organization }: Analysing,
  analysed: readonly Analysed[],
): Promise<void> {
  const inside = store.in(organization);
  const gone: { conversation: string; text: string }[] = [];
  let last = -1n;
  for (let start = 0; start < analysed.length; start += concurrency)
    await Promise.all(
      analysed.slice(start, start + concurrency).map(async (one) => {
        const { state, position } = await inside
          .step(one.conversation)
          .handle(conversation, one.conversation, (now) => finish(now, one), { wait: false });
        if (position > last) last = position;
        if (state.status === 'absent' || state.text !== one.text)
          gone.push({ conversation: one.conversation, text: one.text });
      }),
    );
  if (last >= 0n)
    await requireVisible(store, { position: last, types: [...conversationEvents.types, ...clusterEvents.types] });
  await withdrawIssues(context.scope(store), organization, gone);
  await dropTexts(
    context,
    gone.map(({ conversation: owner, text }) => ({ organization, owner, text })),
  );
  const isGone = new Set(gone.map(({ text }) => text));
  await confirmTexts(
    context,
    analysed
      .filter(({ text }) => !isGone.has(text))
      .flatMap(({ conversation: of, text, issues }) =>
        Array.from({ length: issues }, (_, n) =>
          issueText({ organization, conversation: of, text, part: partOfIssue(n) }),
        ),
      ),
  );
}
