import * as z from 'zod';
import { Id } from './common.js';

/** Kinds of resources that may stand inside a response of a service that does not own them (ruling 15). */
export type EmbedKind = 'user';

/** What stands for a resource of another service: what the owning side stores, and what a client sees of a missing one. */
export interface Reference<K extends string = string> {
  object: K;
  id: string;
}

/** Key of the annotation by which composers find embedded resources in a JSON Schema. */
export const embedAnnotation = 'x-embed';

/**
 * Declares a resource of another service inside a response. The answering service gives `{ object, id }`; the gateway
 * puts the resource in its place, and leaves the reference where the resource is missing or not visible to the caller.
 *
 * `kind` is also the value of the resource's `object`.
 */
export function embed<K extends EmbedKind, T extends z.ZodType>(kind: K, schema: T) {
  return z.union([schema, referenceTo(kind)]).meta({ [embedAnnotation]: kind });
}

/** The reference that a service puts where a resource of another one belongs. */
export function referTo<K extends EmbedKind>(kind: K, id: string): Reference<K> {
  return { object: kind, id };
}

function referenceTo<K extends EmbedKind>(kind: K) {
  return z.object({ object: z.literal(kind), id: Id });
}
