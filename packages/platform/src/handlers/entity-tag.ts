import { createHash } from 'node:crypto';

/** Characters of an entity tag. */
export const tagLength = 22;

/** The entity tag of an answer, without quotes. It depends only on the bytes. */
export function entityTag(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, tagLength);
}

const tagCache = new WeakMap<Uint8Array, string>();

/** The same for bytes that are asked about again and do not change: they are hashed once. */
export function cachedTag(body: Uint8Array): string {
  const known = tagCache.get(body);
  if (known !== undefined) return known;
  const tag = entityTag(body);
  tagCache.set(body, tag);
  return tag;
}
