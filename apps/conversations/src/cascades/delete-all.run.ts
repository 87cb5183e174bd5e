import { AppError } from '@scriptorium/contracts';
import { defineRun, runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { dropCentroids, dropWeightTable } from '../analysis/index.js';
import { close, clusterDocuments, clusters } from '../clusters/index.js';
import { conversation, conversations, ingestion, removeWithOrganization } from '../conversations/index.js';
import { endOutage } from '../models/index.js';
import { dropTexts } from '../texts/index.js';

/** Deletes all conversations of an organization that was deleted. */
export const deleteAllRun = defineRun({
  kind: 'delete_conversations',
  input: z.object({ organization: z.string() }),
  state: z.object({ deleted: z.int(), isClosed: z.boolean() }),
  begin: () => ({ deleted: 0, isClosed: false }),
  cancellable: false,
});

/** Conversations that are deleted in one step. */
const atOnce = 200;

export function deleteAllHandler(context: ServiceContext): RunHandler {
  return runHandler(deleteAllRun, {
    async step({ deleted, isClosed }, store, { input: { organization } }) {
      requireLive(store, [conversations]);
      await dropTexts(context, [{ organization }]);
      const left = await store.read(conversations).find({ organization }).limit(atOnce).toArray();
      for (const { _id: id } of left)
        await store.in(organization).step(id).handle(conversation, id, removeWithOrganization);
      const done = deleted + left.length;
      // The next step looks once the read model shows that these are gone.
      if (left.length > 0) return { next: { deleted: done, isClosed }, progress: { done }, afterMs: 200 };
      if (!isClosed) {
        await store.in(organization).step('clusters').handle(clusters, organization, close);
        return { next: { deleted, isClosed: true }, progress: { done }, afterMs: 200 };
      }
      await dropCentroids(context, organization);
      await dropWeightTable(context, organization);
      await endOutage(context, organization);
      await dropTexts(context, [{ organization }]);
      await requireGone(store, organization);
      await store.in(organization).erase(clusters, organization);
      await store.in(organization).erase(ingestion, organization);
      await context.idempotency.forget();
      return { done: null, progress: { done } };
    },
  });
}

/** Waits for the next attempt until the read model shows that the clusters are gone. */
async function requireGone(store: StoreScope, organization: string): Promise<void> {
  requireLive(store, [clusterDocuments]);
  if ((await store.read(clusterDocuments).findOne({ organization })) !== null)
    throw new AppError('unavailable', [], { message: 'The read models are not up to date yet, try again' });
}
