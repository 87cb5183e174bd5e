import type * as z from 'zod';
import type { EmbedKind } from './embed.js';
import { lookupUsers } from './identity/index.js';
import type { InternalOperation } from './operation.js';

/** An exchange that finds resources by id; those that are unknown or hidden from the caller are left out. */
export type EmbedLookup = InternalOperation<
  z.ZodType<{ ids: string[] }, { ids: string[] }>,
  z.ZodType<{ items: { id: string }[] }, { items: { id: string }[] }>
>;

/** Which exchange finds the resources of a kind. At most `embedBatch` ids are asked for at a time. */
export const embedLookups = { user: lookupUsers } as const satisfies Record<EmbedKind, EmbedLookup>;

/** Ids of one lookup. */
export const embedBatch = 1000;
