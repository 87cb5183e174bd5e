import { createHash } from 'node:crypto';

/** Characters of an entity tag. */
export const tagLength = 22;

const tags = new WeakMap<Uint8Array, string>();

/** The entity tag of an answer, without quotes. It depends only on the bytes, which must not change: those that are sent again are hashed once. */
export function entityTag(body: Uint8Array): string {
  const known = tags.get(body);
  if (known !== undefined) return known;
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, tagLength);
  tags.set(body, tag);
  return tag;
}
