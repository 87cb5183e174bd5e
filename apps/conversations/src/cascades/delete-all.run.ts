import { defineRun, runHandler, type RunHandler } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { conversation, conversations, ingestion, removeWithOrganization } from '../conversations/index.js';
import { dropTexts } from '../texts/index.js';

/** Deletes all conversations of an organization that was deleted. */
export const deleteAllRun = defineRun({
  kind: 'delete_conversations',
  input: z.object({ organization: z.string() }),
  state: z.object({ deleted: z.int() }),
  begin: () => ({ deleted: 0 }),
  cancellable: false,
});

/** Conversations that are deleted in one step. */
const atOnce = 200;

export function deleteAllHandler(context: ServiceContext): RunHandler {
  return runHandler(deleteAllRun, {
    async step({ deleted }, store, { input: { organization } }) {
      requireLive(store, [conversations]);
      await dropTexts(context, [{ organization }]);
      const left = await store.read(conversations).find({ organization }).limit(atOnce).toArray();
      for (const { _id: id } of left)
        await store.in(organization).step(id).handle(conversation, id, removeWithOrganization);
      const done = deleted + left.length;
      // The next step looks once the read model shows that these are gone.
      if (left.length > 0) return { next: { deleted: done }, progress: { done }, afterMs: 200 };
      await store.in(organization).erase(ingestion, organization);
      await context.scope(store).forgetAnswers();
      return { done: null, progress: { done } };
    },
  });
}
