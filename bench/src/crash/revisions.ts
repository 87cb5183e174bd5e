import { createHash } from 'node:crypto';
import type { Space } from './memory.js';
import type { Get } from './request-losses.js';

/** A hash of everything that a revision is read as. */
export function hashOf(revision: unknown): string {
  return createHash('sha256').update(JSON.stringify(revision)).digest('base64url');
}

/** Remembered revisions that are read with other bytes than before, or not at all, in words. */
export async function revisionLosses({ id, revisions }: Space, name: string, get: Get): Promise<string[]> {
  const losses: string[] = [];
  for (const [revision, hash] of revisions) {
    const shown = await get(`/v1/spaces/${id}/revisions/${revision}`);
    if (shown === undefined) losses.push(`${name} has lost its revision ${revision}`);
    else if (hashOf(shown) !== hash) losses.push(`${name} has another revision ${revision} than before`);
  }
  return losses;
}
