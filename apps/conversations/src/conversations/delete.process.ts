import type { Call } from '@scriptorium/platform';
import { dropTexts } from '../texts/index.js';
import { conversation, remove } from './conversation.js';

/** Deletes a conversation and its texts. Resolves to whether there was one. */
export async function deleteConversation(
  call: Call,
  { organizationId: organization, conversationId: owner }: { organizationId: string; conversationId: string },
): Promise<boolean> {
  const { events } = await call.store.handle(conversation, owner, remove);
  if (!call.store.dry) {
    await dropTexts(call, [{ organization, owner }]);
    // Answers that are kept for repeated requests show texts.
    await call.forgetAnswers();
  }
  return events.length > 0;
}
