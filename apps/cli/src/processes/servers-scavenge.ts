import type { Stores } from './servers-stores.js';

/** What a scavenge came to. */
export interface StoresScavenge {
  /** events removed from the files of the log */
  events: number;
  /** by which the files of both stores are smaller now; below 0 when they grew meanwhile */
  bytesFreed: number;
}

/** Removes from the files of the stores what was deleted before, while they are used; log first, as the documents are made from it. */
export async function scavengeStores({ eventstore, mongodb }: Stores): Promise<StoresScavenge> {
  const { events, bytesFreed } = (await eventstore?.scavenge()) ?? { events: 0, bytesFreed: 0 };
  return { events, bytesFreed: bytesFreed + ((await mongodb?.compact()) ?? 0) };
}
