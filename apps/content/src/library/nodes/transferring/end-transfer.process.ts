import { keyedGet, type StoreScope } from '@scriptorium/event-sourcing';
import type { Arrival } from '../library-state.js';
import { library, type Library } from '../library.js';
import { abandon, enter, leave, openTransfer, type Entry } from './transfer.js';

/** The library of an organization as it is now. It reads only what was added since the last command of this process. */
export async function readLibrary(store: StoreScope, organization: string): Promise<Library> {
  return (await store.keyed(undefined).handle(library, organization, () => [], { wait: false })).state;
}

/** What has become of a transfer in the organization that it goes to; `undefined` as long as that has not answered. */
export async function arrivalOf(
  store: StoreScope,
  { to, transfer }: { to: string; transfer: string },
): Promise<Arrival | undefined> {
  return keyedGet((await readLibrary(store.in(to), to)).arrivals, transfer);
}

/**
 * Brings an open transfer to its end in both libraries. The moment at which everything changes hands is one event in
 * the library that it enters. Each step says in its stream that it has happened, so a repetition, also by another
 * process at the same time, goes on where the others stopped. @returns whether it entered; `undefined` for a transfer
 * that had ended before
 */
export async function endTransfer(
  store: StoreScope,
  { from, transfer, limits }: { from: string; transfer: string; limits: Entry['limits'] },
): Promise<boolean | undefined> {
  const source = await readLibrary(store, from);
  const open = openTransfer(source, transfer);
  if (open === undefined) return undefined;
  const { node, to, parent, nodes } = open;
  const here = (nodes[0]?.kind === 'space' ? store.within({ space: node }) : store).keyed(undefined);
  const entry = { transfer, from, nodes, parent, limits, isWanted: !source.closed };
  const target = await here.in(to).handle(library, to, (state) => enter(state, entry));
  const isIn = keyedGet(target.state.arrivals, transfer)?.status !== 'refused';
  await here
    .in(from)
    .handle(library, from, (state) => (isIn ? leave(state, { transfer }) : abandon(state, { transfer })));
  return isIn;
}
