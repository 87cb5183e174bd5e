import { timingSafeEqual } from 'node:crypto';

/** Compares two hashes in a time that does not tell where they differ. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
