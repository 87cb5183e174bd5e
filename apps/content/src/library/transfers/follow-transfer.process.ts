import { keyedGet, type StoreScope, type Written } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { collection, transferTo as collectionTo } from '../collections/index.js';
import { library, settle } from '../nodes/index.js';
import type { ContentObjects } from '../../versions/index.js';
import { space, transferTo as spaceTo } from '../spaces/index.js';
import { ownPoolsOf } from './pools.queries.js';

/** Streams that follow at once: at some 10 ms each well within the 10 s of a step. */
const atOnce = 100;

/**
 * Has the streams of what was transferred follow, up to a hundred behind the first `after`, and ends the transfer with
 * the last one. Safe to repeat. @returns how many have followed; `undefined` when all have
 */
export async function followTransfer(
  { store: work }: Pick<Scope, 'store'>,
  objects: ContentObjects,
  { from, to, transfer, after }: { from: string; to: string; transfer: string; after: number },
): Promise<number | undefined> {
  // Each of these commands does nothing when it is repeated.
  const store = work.in(to).keyed(undefined);
  const known = await store.handle(library, to, () => [], { wait: false });
  const arrival = keyedGet(known.state.arrivals, transfer);
  if (arrival?.status !== 'entered') return undefined;
  const some = arrival.nodes.slice(after, after + atOnce);
  const done: Written[] = [known];
  for (const node of some) done.push(await follow(store, to, node));
  // The read models say where each space is.
  for (const one of done) await store.shown(one);
  const spaces = some.flatMap(({ id, kind }) => (kind === 'space' ? [id] : []));
  if (!store.dry) await objects.files.handOver(await ownPoolsOf(store, from, spaces), { from, to });
  const followed = after + some.length;
  if (followed < arrival.nodes.length) return followed;
  await store.handle(library, to, (state) => settle(state, { transfer }), { wait: false });
  return undefined;
}

async function follow(
  store: StoreScope,
  to: string,
  { id, kind }: { id: string; kind: 'space' | 'collection' },
): Promise<Written> {
  const options = { wait: false };
  return kind === 'space'
    ? store.within({ space: id }).handle(space, id, (state) => spaceTo(state, to), options)
    : store.handle(collection, id, (state) => collectionTo(state, to), options);
}
