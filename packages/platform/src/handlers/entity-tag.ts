import { createHash } from 'node:crypto';

/** Characters of an entity tag. */
export const tagLength = 22;

/** The entity tag of an answer, without quotes. It depends only on the bytes. */
export function entityTag(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, tagLength);
}

const remembered = new WeakMap<Uint8Array, string>();

/** The same for bytes that are asked about again and do not change: they are hashed once. */
export function rememberedTag(body: Uint8Array): string {
  const known = remembered.get(body);
  if (known !== undefined) return known;
  const tag = entityTag(body);
  remembered.set(body, tag);
  return tag;
}
