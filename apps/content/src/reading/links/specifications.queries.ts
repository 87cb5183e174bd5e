import { hasPart } from '@scriptorium/openapi';
import type { Scope } from '@scriptorium/platform';
import { specKeyOf, specOf, type ContentView, type ShownSpec } from '../content/index.js';
import type { Judge } from './other-spaces.queries.js';
import type { Link } from './revision-links.js';

/** Specifications that one answer looks into. */
const mostSpecs = 200;

/**
 * Links with what they lead to in specifications, as these are now. Places whose operation or schema a specification
 * does not have are a link of their own, which is missing.
 */
export async function judgeBySpecs(
  scope: Scope,
  { objects }: Pick<Judge, 'objects'>,
  view: ContentView,
  links: readonly Link[],
): Promise<{ links: readonly Link[]; missing: ReadonlySet<string> }> {
  const missing = new Set<string>();
  const specs = new Map<string, ShownSpec | null>();
  const judged: Link[] = [];
  for (const link of links) {
    const { key, target, places } = link;
    const named = target.kind === 'openapi' ? specKeyOf(target) : undefined;
    if (named === undefined) {
      judged.push(link);
      continue;
    }
    if (!specs.has(named) && specs.size < mostSpecs) specs.set(named, await specOf(scope, objects, view, target));
    const spec = specs.get(named) ?? null;
    const isThere = ({ part }: Link['places'][number]): boolean =>
      spec !== null && (part === undefined || hasPart(spec.pack.directory, part));
    const there = places.filter(isThere);
    if (there.length > 0) judged.push({ ...link, places: there });
    if (there.length === places.length) continue;
    const lost = { ...link, key: `${key} missing`, places: places.filter((place) => !isThere(place)) };
    missing.add(lost.key);
    judged.push(lost);
  }
  return { links: missing.size === 0 ? links : judged.sort((a, b) => at(a) - at(b)), missing };
}

function at({ places }: Link): number {
  return places[0]?.at ?? 0;
}
