import { defineRun, runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { eraseContent, type ContentObjects } from '../../../versions/index.js';
import { beginPurge, endPurge, purgeable } from '../deletion.js';
import { endTransfer, readLibrary } from '../transferring/end-transfer.process.js';
import { library, type Library, type NodeKind } from '../library.js';
import { openTransfersOf } from '../transferring/transfer.js';

/**
 * Removes for good what was deleted: a space, a collection with everything in it, or, with the organization, its whole
 * library. It cannot be cancelled: what it has begun nobody can restore.
 */
export const purge = defineRun({
  kind: 'purge',
  input: z.union([
    /** `deletedAt`: the deletion that this is about; what was restored since is left alone. */
    z.object({ organization: z.string(), node: z.string(), deletedAt: z.string() }),
    z.object({ organization: z.string(), node: z.null() }),
  ]),
  /** `after`: the last change request of the first node whose content was erased, when there are more. */
  state: z.object({ purged: z.int(), after: z.string().nullable().default(null) }),
  begin: () => ({ purged: 0, after: null }),
  cancellable: false,
  // Everything that an organization can have may be deleted piece by piece on one day.
  openAtMost: 120_000,
});

/** Nodes that one step removes, and branches of change requests: at some 10 ms each well within its 10 s. */
const atOnce = 100;
/** What is left of the time of a step for what is begun last, and for recording what is gone, ms. */
const reserveMs = 5_000;

export function purgeHandler(context: ServiceContext, objects: ContentObjects): RunHandler {
  return runHandler(purge, {
    async step({ purged, after: begun }, store, { input, deadline }) {
      const inside = store.in(input.organization);
      await endTransfersOf(inside, input, context.limits);
      const choose = (state: Library) => purgeable(state, input);
      const isOver = (): boolean => context.now() > deadline - reserveMs;
      const wish = { choose, after: begun, isOver };
      const { removed, after, isDone } = await purgeNext(inside, objects, input.organization, wish);
      const done = purged + removed;
      if (!isDone) return { next: { purged: done, after }, progress: { done } };
      if (input.node === null && (await objects.files.dropUploads(input))) return { next: { purged: done, after } };
      // Answers that are kept for repeated requests may show titles, also of what an attempt of this step removed that
      // was cut off.
      await context.idempotency.forget();
      return { done: { purged: done } };
    },
  });
}

/** What another organization is about to get is either there or here before anything is deleted. */
async function endTransfersOf(
  store: StoreScope,
  { organization: from, node }: { organization: string; node: string | null },
  limits: ServiceContext['limits'],
): Promise<void> {
  const state = await readLibrary(store, from);
  for (const transfer of openTransfersOf(state, node)) await endTransfer(store, { from, transfer, limits });
}

interface Node {
  id: string;
  kind: NodeKind;
}

/** What a step has removed. */
interface Purged {
  /** Nodes of which nothing is left. */
  removed: number;
  /** See the state of the run. */
  after: string | null;
  isDone: boolean;
}

/** What is removed. */
interface Wish {
  choose: (state: Library) => readonly Node[];
  /** See the state of the run. */
  after?: string | null;
  /** Whether nothing further is begun. */
  isOver?: () => boolean;
}

/** Removes up to a hundred nodes. Safe to repeat: what has begun is found again. */
export async function purgeNext(
  store: StoreScope,
  objects: ContentObjects,
  organization: string,
  { choose, after = null, isOver = () => false }: Wish,
): Promise<Purged> {
  const { state } = await store
    .step('begin')
    .handle(library, organization, (now) => beginPurge(now, some(choose, now)));
  const nodes = some(choose, state);
  const { erased, after: last } = await erase(store, objects, nodes, { after, isOver });
  await store.step('end').handle(library, organization, (now) => endPurge(now, erased));
  return { removed: erased.length, after: last, isDone: erased.length === nodes.length && nodes.length < atOnce };
}

/** Erases nodes until a step has done enough; those of which nothing is left. */
async function erase(
  store: StoreScope,
  objects: ContentObjects,
  nodes: readonly Node[],
  { after: begun, isOver }: { after: string | null; isOver: () => boolean },
): Promise<{ erased: Node[]; after: string | null }> {
  const erased: Node[] = [];
  let [left, after] = [atOnce, begun];
  for (const node of nodes) {
    if (left <= 0 || (erased.length > 0 && isOver())) break;
    if (node.kind === 'space') {
      const content = await eraseContent(store, objects, node.id, { after, most: left, isOver });
      left -= content.erased;
      after = content.after;
      if (!content.isDone) break;
    } else left -= 1;
    await store.erase({ service: 'content', entity: node.kind }, node.id);
    erased.push(node);
  }
  return { erased, after };
}

function some(choose: (state: Library) => readonly Node[], state: Library): readonly Node[] {
  return choose(state).slice(0, atOnce);
}
