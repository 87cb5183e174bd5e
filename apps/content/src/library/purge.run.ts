import { defineRun, runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { eraseMainContent } from '../branches/index.js';
import { beginPurge, endPurge, purgeable } from './deletion.js';
import { library, type Library, type NodeKind } from './library.js';

/**
 * Removes for good what was deleted: a space, a collection with everything in it, or, with the organization, its whole library.
 * It cannot be cancelled: what it has begun nobody can restore.
 */
export const purge = defineRun({
  kind: 'purge',
  input: z.union([
    /** `deletedAt`: the deletion that this is about; what was restored since is left alone. */
    z.object({ organization: z.string(), node: z.string(), deletedAt: z.string() }),
    z.object({ organization: z.string(), node: z.null() }),
  ]),
  state: z.object({ purged: z.int() }),
  begin: () => ({ purged: 0 }),
  cancellable: false,
  // Everything that an organization can have may be deleted piece by piece on one day.
  openAtMost: 120_000,
});

/** Nodes that one step removes: at some 10 ms each well within its 10 s. */
const atOnce = 100;

export function purgeHandler(context: ServiceContext): RunHandler {
  return runHandler(purge, {
    async step({ purged }, store, { input }) {
      const inside = store.in(input.organization);
      const removed = await purgeNext(inside, context, input.organization, (state) => purgeable(state, input));
      const done = purged + removed;
      if (removed === atOnce) return { next: { purged: done }, progress: { done } };
      // Answers that are kept for repeated requests may show titles, also of what an attempt of this step removed that was cut off.
      await context.scope(store).forgetAnswers();
      return { done: { purged: done } };
    },
  });
}

interface Node {
  id: string;
  kind: NodeKind;
}

/** Removes up to a hundred nodes; how many they were. Safe to repeat: what has begun is found again. */
export async function purgeNext(
  store: StoreScope,
  scope: Pick<Scope, 'database'>,
  organization: string,
  choose: (state: Library) => readonly Node[],
): Promise<number> {
  const { state } = await store
    .step('begin')
    .handle(library, organization, (now) => beginPurge(now, some(choose, now)));
  const nodes = some(choose, state);
  for (const { id, kind } of nodes) {
    if (kind === 'space') await eraseMainContent(store, scope, id);
    await store.erase({ service: 'content', entity: kind }, id);
  }
  await store.step('end').handle(library, organization, (now) => endPurge(now, nodes));
  return nodes.length;
}

function some(choose: (state: Library) => readonly Node[], state: Library): readonly Node[] {
  return choose(state).slice(0, atOnce);
}
