import type { Scope } from '@scriptorium/platform';
import { forget, noteNeeded, oldSegments } from '../texts/segment-memory.operational.js';
import { hashesOnPages } from '../segments/page-segments.operational.js';

/** How long a text is kept that no page has, ms. */
const keptForMs = 90 * 86_400_000;
/** Segments that are looked at after a run. */
const atOnce = 1_000;

/**
 * Forgets texts that no page has had for a while, so that the memory does not grow with each change of the source. What
 * comes back earlier costs nothing. Safe to repeat: each time looks at those that are due.
 */
export async function forgetUnused(scope: Pick<Scope, 'database' | 'now'>, translation: string): Promise<void> {
  const old = await oldSegments(scope, translation, { time: scope.now() - keptForMs, limit: atOnce });
  if (old.length === 0) return;
  const used = await hashesOnPages(scope, translation, old);
  await noteNeeded(scope, translation, [...used]);
  await forget(
    scope,
    translation,
    old.filter((hash) => !used.has(hash)),
  );
}
