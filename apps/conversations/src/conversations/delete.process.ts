import type { Call, IdempotencyStore } from '@scriptorium/platform';
import { showRecorded, withdrawIssues } from '../clusters/index.js';
import { dropTexts } from '../texts/index.js';
import { conversation, remove } from './conversation.js';

/**
 * Deletes a conversation and its texts. Resolves to whether there was one. `answers`: those that are kept for repeated
 * requests, which show texts.
 */
export async function deleteConversation(
  call: Call,
  answers: Pick<IdempotencyStore, 'forget'>,
  { organizationId: organization, conversationId: owner }: { organizationId: string; conversationId: string },
): Promise<boolean> {
  const { events } = await call.store.handle(conversation, owner, remove);
  const gone = events.flatMap((event) =>
    'text' in event.data ? [{ conversation: owner, text: event.data.text }] : [],
  );
  await withdrawIssues(call, organization, gone);
  if (!call.store.dry) {
    // By their names: somebody may be sending the conversation again.
    await dropTexts(
      call,
      gone.map(({ text }) => ({ organization, owner, text })),
    );
    await answers.forget();
  }
  await showRecorded(call.store);
  return events.length > 0;
}
