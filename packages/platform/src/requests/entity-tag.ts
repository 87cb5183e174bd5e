import { createHash } from 'node:crypto';

/** Characters of an entity tag. */
export const tagLength = 22;

/** The entity tag of an answer, without quotes. It depends only on the bytes. */
export function entityTag(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, tagLength);
}
