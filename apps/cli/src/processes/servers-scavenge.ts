import type { Stores } from './servers-stores.js';

/** The result of a scavenge. */
export interface StoresScavenge {
  /** Number of events that were removed from the files of the log. */
  events: number;
  /** Bytes by which the files of both stores became smaller; negative if they grew in the meantime. */
  bytesFreed: number;
}

/**
 * Removes deleted data from the files of the stores while they are in use. The log is first, since documents are made
 * from it.
 */
export async function scavengeStores({ eventstore, mongodb }: Stores): Promise<StoresScavenge> {
  const { events, bytesFreed } = (await eventstore?.scavenge()) ?? { events: 0, bytesFreed: 0 };
  return { events, bytesFreed: bytesFreed + ((await mongodb?.compact()) ?? 0) };
}
