import * as z from 'zod';
import { Id } from './common.js';
import type { InternalOperation } from './operation.js';

/**
 * A reference to a resource of another service. Services answer references; clients see one if the resource is missing
 * or hidden.
 */
export interface Reference<K extends string = string> {
  object: K;
  id: string;
}

/** Key of the JSON Schema annotation that marks embedded resources. */
export const embedAnnotation = 'x-embed';

/**
 * Declares a resource of another service as a part of a response, or as the whole response. The service answers a
 * reference `{ object, id }`. The gateway replaces it by the resource, or leaves it if the resource is missing or not
 * visible to the caller.
 *
 * `kind` is also the value of the resource's `object`; the service that owns the resource declares it among its embeds.
 */
export function embed<K extends string, T extends z.ZodType>(kind: K, schema: T) {
  return z.union([schema, referenceTo(kind)]).meta({ [embedAnnotation]: kind });
}

/** The reference that a service answers in the place of a resource of another service. */
export function referTo<K extends string>(kind: K, id: string): Reference<K> {
  return { object: kind, id };
}

function referenceTo<K extends string>(kind: K) {
  return z.object({ object: z.literal(kind), id: Id });
}

const separator = '_';

/** The id of a reference to a member: `<organization>_<user>`. Ids that the product makes have no `_`. */
export function memberReferenceId(organizationId: string, userId: string): string {
  return `${organizationId}${separator}${userId}`;
}

/** Organization and user of a reference to a member; null for another form. */
export function parseMemberReferenceId(id: string): { organizationId: string; userId: string } | null {
  const [organizationId = '', userId = '', ...more] = id.split(separator);
  return organizationId === '' || userId === '' || more.length > 0 ? null : { organizationId, userId };
}

/**
 * An internal operation that finds resources by the ids of their references. Unknown and hidden ones are omitted.
 * `refs` has these ids in the order of `items`, for resources whose own `id` is another.
 */
export type EmbedLookup = InternalOperation<
  z.ZodType<{ ids: string[] }, { ids: string[] }>,
  z.ZodType<
    { items: { id: string }[]; refs?: string[] | undefined },
    { items: { id: string }[]; refs?: string[] | undefined }
  >
>;

/** The embedded resources that a service owns: the lookup of each kind. */
export type Embeds = Readonly<Record<string, EmbedLookup>>;

/** The largest number of ids in one lookup. */
export const embedBatch = 1000;

/** The lookups of all services by kind. @throws for a kind that two services declare */
export function collectEmbeds(services: readonly { embeds: Embeds }[]): Embeds {
  const all = new Map<string, EmbedLookup>();
  for (const [kind, lookup] of services.flatMap(({ embeds }) => Object.entries(embeds))) {
    if (all.has(kind)) throw new Error(`Two services declare the embedded resource ${kind}`);
    all.set(kind, lookup);
  }
  return Object.fromEntries(all);
}
